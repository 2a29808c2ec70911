/* A comparison as a tree of JSON values. docs/design/profile.md says what it holds. */
#include "report/json/tree.h"
#include "report/compare/words.h"
#include "report/json/values.h"

#include <errno.h>

static json_t *side_json(const struct compare_side *side, const char *name)
{
    struct side_sums sums = side_sums(side);
    return json_pack("{s:o, s:I, s:f, s:I, s:o}", "profile", make_text(name), "runs", (json_int_t)sums.runs,
                     "runtime", sums.runtime_s * 1e9, "windows", (json_int_t)sums.windows, "control_spread",
                     make_number(analysis_control_spread(side->analysis)));
}

static json_t *rate_json(const struct compare_rate *rate)
{
    return json_pack("{s:o, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:s}", "point", make_text(rate->point),
                     "metric", rate->metric == METRIC_LATENCY ? "latency" : "throughput", "before",
                     make_number(rate->before), "after", make_number(rate->after), "change",
                     make_number(rate->change), "low", make_number(rate->low), "high",
                     make_number(rate->high), "chance", make_number(rate->chance), "verdict",
                     compare_verdict_name(rate->verdict));
}

static json_t *impact_json(const struct analysis_result *result)
{
    if (!result)
        return json_null();
    return json_pack("{s:o, s:o, s:o, s:o, s:s, s:o}", "location", make_text(result->location), "impact",
                     make_number(result->impact), "low", make_number(result->low), "high",
                     make_number(result->high), "verdict", analysis_verdict_name(result->verdict), "curve",
                     report_curve(result));
}

static json_t *target_json(const struct compare_target *target)
{
    const struct analysis_result *any = row_result(target);
    json_t *verdict =
        target->by == MATCH_NONE ? json_null() : json_string(compare_verdict_name(target->verdict));
    return json_pack(
        "{s:o, s:o, s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "kind", make_text(any->kind), "point",
        make_text(any->point), "metric", any->metric == METRIC_LATENCY ? "latency" : "throughput", "matched",
        match_name(target->by), "before", impact_json(target->before), "after", impact_json(target->after),
        "change", make_number(target->change), "low", make_number(target->low), "high",
        make_number(target->high), "chance", make_number(target->chance), "verdict", verdict);
}

static json_t *condition_json(const struct condition *condition)
{
    return json_pack("{s:o, s:s, s:o, s:o, s:o, s:o}", "condition", make_text(condition->text), "outcome",
                     outcome_name(condition->outcome), "value", make_number(condition->value), "low",
                     make_number(condition->low), "high", make_number(condition->high), "why",
                     make_text(condition->why));
}

json_t *compare_tree(const struct compare_report *report, const struct report_options *options)
{
    const struct comparison *comparison = report->comparison;
    char sentences[DIFFERENCES_MOST][DIFFERENCE_BYTES];
    size_t count = find_differences(report, sentences, DIFFERENCES_MOST);
    json_t *rates = json_array(), *targets = json_array(), *notes = json_array(), *conditions = json_array();
    for (size_t i = 0; i < comparison->rate_count; i++)
        if (rate_is_wanted(&comparison->rates[i], options))
            json_array_append_new(rates, rate_json(&comparison->rates[i]));
    for (size_t i = 0; i < comparison->target_count; i++)
        if (target_is_wanted(&comparison->targets[i], options))
            json_array_append_new(targets, target_json(&comparison->targets[i]));
    for (size_t i = 0; i < count; i++)
        json_array_append_new(notes, make_text(sentences[i]));
    for (size_t i = 0; i < report->condition_count; i++)
        json_array_append_new(conditions, condition_json(&report->conditions[i]));
    return json_pack("{s:i, s:o, s:o, s:o, s:o, s:o, s:o}", "schema", 1, "before",
                     side_json(report->before, report->names[0]), "after",
                     side_json(report->after, report->names[1]), "notes", notes, "rates", rates, "targets",
                     targets, "conditions", conditions);
}

int compare_json(FILE *out, const struct compare_report *report, const struct report_options *options,
                 struct coz_error *err)
{
    json_t *root = compare_tree(report, options);
    int code = root && json_dumpf(root, out, JSON_INDENT(1) | JSON_REAL_PRECISION(6)) == 0 ? 0 : -ENOMEM;
    json_decref(root);
    if (code < 0)
        return error_set(err, ENOMEM, "cannot write the comparison as JSON");
    putc('\n', out);
    return 0;
}
