#include "report/cells.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>

/* JSON has no infinity and no NAN: what is not known is null. */
static json_t *make_number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *make_text(const char *raw)
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
        const struct curve_point *point = &result->curve[i];
        json_array_append_new(
            curve, json_pack("{s:o, s:o, s:o, s:o, s:I}", "speedup", make_number(point->speedup), "effect",
                             make_number(point->effect), "low", make_number(point->low), "high",
                             make_number(point->high), "windows", (json_int_t)point->windows));
    }
    return curve;
}

static json_t *result_json(const struct analysis_result *result)
{
    return json_pack(
        "{s:o, s:o, s:o, s:s, s:I, s:o, s:s, s:o, s:o, s:o, s:o, s:o, s:o}", "kind", make_text(result->kind),
        "location", make_text(result->location), "point", make_text(result->point), "metric",
        result->metric == METRIC_LATENCY ? "latency" : "throughput", "samples", (json_int_t)result->samples,
        "share", make_number(result->share), "verdict", analysis_verdict_name(result->verdict), "impact",
        make_number(result->impact), "low", make_number(result->low), "high", make_number(result->high),
        "more", make_number(result->more_ns), "strain", make_number(result->strain), "curve",
        curve_json(result));
}

static json_t *sums_json(struct analysis *analysis, enum analysis_sums what)
{
    const struct analysis_sum *sums;
    size_t count = analysis_sums(analysis, what, &sums);
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++) {
        json_t *sum =
            json_pack("{s:o, s:o}", "name", make_text(sums[i].name), "share", make_number(sums[i].own));
        if (what == SUMS_FUNCTIONS)
            json_object_set_new(sum, "share_with_called", make_number(sums[i].with_called));
        json_array_append_new(array, sum);
    }
    return array;
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
        json_array_append_new(hidden_array, json_pack("{s:o, s:o}", "location", make_text(hidden[i].location),
                                                      "why", make_text(hidden[i].why)));
    json_t *root = json_pack("{s:i, s:I, s:I, s:o, s:o, s:o, s:o, s:o}", "schema", 1, "runtime",
                             (json_int_t)analysis_runtime_ns(analysis), "windows",
                             (json_int_t)analysis_windows(analysis), "control_spread",
                             make_number(analysis_control_spread(analysis)), "results", result_array,
                             "hidden", hidden_array, "functions", sums_json(analysis, SUMS_FUNCTIONS),
                             "files", sums_json(analysis, SUMS_FILES));
    int code = root && json_dumpf(root, out, JSON_INDENT(1) | JSON_REAL_PRECISION(6)) == 0 ? 0 : -ENOMEM;
    json_decref(root);
    if (code < 0)
        return error_set(err, ENOMEM, "cannot write the report as JSON");
    putc('\n', out);
    return 0;
}
