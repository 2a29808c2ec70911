#include "report/compare/words.h"

#include "report/cells.h"
#include "report/ink.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void put_wrapped(FILE *out, const char *text, size_t columns)
{
    char *clean = clean_text(text, true);
    put_paragraph(out, clean ? clean : "", columns);
    putc('\n', out);
    free(clean);
}

void format_rate(char *text, size_t size, const struct compare_rate *rate, double value)
{
    if (!isfinite(value))
        snprintf(text, size, "unknown");
    else if (rate->metric != METRIC_LATENCY)
        snprintf(text, size, value >= 1000 ? "%.0f visits a second" : "%.3g visits a second", value);
    else if (value >= 1)
        snprintf(text, size, "%.3g s", value);
    else
        snprintf(text, size, value >= 1e-3 ? "%.3g ms" : "%.3g us", value * (value >= 1e-3 ? 1e3 : 1e6));
}

const struct analysis_result *row_result(const struct compare_target *target)
{
    return target->after ? target->after : target->before;
}

char *row_location(const struct compare_target *target)
{
    char *now = location_shown(row_result(target)), *both = NULL;
    if (!now || !target->after || !target->before ||
        strcmp(target->after->location, target->before->location) == 0)
        return now;
    char *old = location_shown(target->before);
    const char *colon = old ? strrchr(old, ':') : NULL, *now_colon = strrchr(now, ':');
    bool same_file =
        colon && now_colon && colon - old == now_colon - now && memcmp(old, now, (size_t)(colon - old)) == 0;
    const char *slash = old ? strrchr(old, '/') : NULL;
    if (!old || asprintf(&both, "%s (was %s)", now, same_file ? colon : slash ? slash + 1 : old) < 0)
        both = NULL;
    free(old);
    free(now);
    return both;
}

static bool wants(const struct report_options *options, const char *point)
{
    return !options->point || strcmp(options->point, point) == 0;
}

bool rate_is_wanted(const struct compare_rate *rate, const struct report_options *options)
{
    return wants(options, rate->point);
}

bool target_is_wanted(const struct compare_target *target, const struct report_options *options)
{
    return wants(options, row_result(target)->point);
}

bool compare_has_answers(const struct comparison *comparison, const struct report_options *options)
{
    for (size_t i = 0; i < comparison->rate_count; i++)
        if (rate_is_wanted(&comparison->rates[i], options) && !isnan(comparison->rates[i].change))
            return true;
    for (size_t i = 0; i < comparison->target_count; i++)
        if (target_is_wanted(&comparison->targets[i], options) && !isnan(comparison->targets[i].change))
            return true;
    return false;
}

struct side_sums side_sums(const struct compare_side *side)
{
    const struct story_run *runs;
    return (struct side_sums){story_runs(side->story, &runs),
                              (double)analysis_runtime_ns(side->analysis) / 1e9,
                              analysis_windows(side->analysis)};
}

const char *match_name(enum match_by by)
{
    static const char *const names[] = {"none", "name", "text", "moved", "order", "number"};
    return names[by];
}

const char *outcome_name(enum condition_outcome outcome)
{
    static const char *const names[] = {"unknown", "met", "not met"};
    return names[outcome];
}
