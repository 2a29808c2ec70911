#include "stats/compare/compare.h"

#include "base/hash.h"
#include "stats/compare/impacts.h"
#include "stats/compare/judge.h"
#include "stats/numbers/quantile.h"
#include "stats/numbers/spread.h"
#include "stats/numbers/tests.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *compare_verdict_name(enum compare_verdict verdict)
{
    static const char *const names[] = {"changed", "no change shown", "not enough"};
    return names[verdict];
}

static int add_rate(struct comparison *comparison, const struct compare_side *before,
                    const struct compare_side *after, const struct rate_point *point)
{
    const struct rate_point *old = rates_find(&before->rates, point->name, point->metric);
    const struct rate_point *new = rates_find(&after->rates, point->name, point->metric);
    struct rate_change change;
    if (rates_compare(old, new, hash_text(point->name), &change) < 0)
        return -ENOMEM;
    bool latency = point->metric == METRIC_LATENCY;
    double sign = latency ? 1 : -1, half = 0;
    if (!isnan(change.change))
        half = quantile_student(0.5 + LEVEL / 2, change.freedom) * change.error;
    comparison->rates[comparison->rate_count++] = (struct compare_rate){
        .point = point->name,
        .metric = point->metric,
        .before = latency ? change.before : 1 / change.before,
        .after = latency ? change.after : 1 / change.after,
        .change = expm1(sign * change.change),
        .low = expm1(sign * change.change - half),
        .high = expm1(sign * change.change + half),
        .chance = tail_student(change.change / change.error, change.freedom),
        .runs = {change.runs[0], change.runs[1]},
    };
    return 0;
}

/* Of all points of both. */
static int compare_rates(struct comparison *comparison, const struct compare_side *before,
                         const struct compare_side *after)
{
    size_t room = before->rates.names.count + after->rates.names.count;
    double *chances = malloc((room + 1) * sizeof *chances);
    comparison->rates = calloc(room + 1, sizeof *comparison->rates);
    int code = chances && comparison->rates ? 0 : -ENOMEM;
    for (size_t i = 0; i < after->rates.names.count && code == 0; i++)
        code = add_rate(comparison, before, after, &after->rates.points[i]);
    for (size_t i = 0; i < before->rates.names.count && code == 0; i++) {
        const struct rate_point *point = &before->rates.points[i];
        if (!rates_find(&after->rates, point->name, point->metric))
            code = add_rate(comparison, before, after, point);
    }
    for (size_t i = 0; i < comparison->rate_count && code == 0; i++)
        chances[i] = comparison->rates[i].chance;
    if (code == 0)
        code = adjust_for_many(chances, comparison->rate_count);
    for (size_t i = 0; i < comparison->rate_count && code == 0; i++) {
        struct compare_rate *rate = &comparison->rates[i];
        rate->chance = chances[i];
        rate->verdict = compare_judge(rate->chance, rate->low, rate->high);
    }
    free(chances);
    return code;
}

int comparison_make(struct comparison *comparison, const struct compare_side *before,
                    const struct compare_side *after)
{
    *comparison = (struct comparison){0};
    int code = compare_rates(comparison, before, after);
    return code ? code : compare_impacts(comparison, before, after);
}

void comparison_release(struct comparison *comparison)
{
    free(comparison->rates);
    free(comparison->targets);
}
