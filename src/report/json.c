#include "report/cells.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>

/* JSON has no infinity and no NAN: what is not known is null. */
static json_t *number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *text(const char *raw)
{
    char *clean = clean_text(raw, false);
    json_t *value = clean ? json_string(clean) : NULL;
    free(clean);
    return value;
}

static json_t *curve_json(const struct analysis_result *result)
{
    json_t *curve = json_array();
    for (size_t i = 0; i < result->curve_count; i++) {
        const struct analysis_curve_point *point = &result->curve[i];
        json_array_append_new(curve,
                              json_pack("{s:o, s:o, s:o, s:o, s:I}", "speedup", number(point->speedup),
                                        "effect", number(point->effect), "low", number(point->low), "high",
                                        number(point->high), "windows", (json_int_t)point->windows));
    }
    return curve;
}

static json_t *result_json(const struct analysis_result *result)
{
    return json_pack("{s:o, s:o, s:o, s:s, s:I, s:o, s:s, s:o, s:o, s:o, s:o}", "kind", text(result->kind),
                     "location", text(result->location), "point", text(result->point), "metric",
                     result->metric == METRIC_LATENCY ? "latency" : "throughput", "samples",
                     (json_int_t)result->samples, "share", number(result->share), "verdict",
                     analysis_verdict_name(result->verdict), "impact", number(result->impact), "low",
                     number(result->low), "high", number(result->high), "curve", curve_json(result));
}

int report_json(FILE *out, struct analysis *analysis, const struct report_options *options,
                struct coz_error *err)
{
    const struct analysis_result *results;
    const struct analysis_hidden *hidden;
    size_t count = analysis_results(analysis, &results);
    json_t *result_array = json_array(), *hidden_array = json_array();
    size_t taken = 0;
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || results[i].point != results[i - 1].point)
            taken = 0;
        if (!option_wants(options, &results[i]) || (options->top && taken >= options->top))
            continue;
        taken++;
        json_array_append_new(result_array, result_json(&results[i]));
    }
    count = analysis_hidden(analysis, &hidden);
    for (size_t i = 0; i < count; i++)
        json_array_append_new(hidden_array, json_pack("{s:o, s:o}", "location", text(hidden[i].location),
                                                      "why", text(hidden[i].why)));
    json_t *root = json_pack(
        "{s:i, s:I, s:I, s:o, s:o, s:o}", "schema", 1, "runtime", (json_int_t)analysis_runtime_ns(analysis),
        "windows", (json_int_t)analysis_windows(analysis), "control_spread",
        number(analysis_control_spread(analysis)), "results", result_array, "hidden", hidden_array);
    int code = root && json_dumpf(root, out, JSON_INDENT(1) | JSON_REAL_PRECISION(6)) == 0 ? 0 : -ENOMEM;
    json_decref(root);
    if (code < 0)
        return error_set(err, ENOMEM, "cannot write the report as JSON");
    putc('\n', out);
    return 0;
}
