#include "experiment/session/certainty.h"

#include "stats/answers/details.h"

#include <math.h>

size_t certainty_point_length(const struct analysis_result *results, size_t count)
{
    size_t length = 0;
    while (length < count && results[length].point == results[0].point &&
           results[length].metric == results[0].metric)
        length++;
    return length;
}

/* An interval of few windows may be narrow by chance, and who looks again and again would stop at just that
 * moment. */
double certainty_width(const struct analysis_result *result)
{
    if (result->curve_count == 0)
        return INFINITY;
    for (size_t i = 0; i < result->curve_count; i++)
        if (result->curve[i].windows < CERTAINTY_WINDOWS)
            return INFINITY;
    double width = 200 * result->chance;
    return isfinite(width) ? width : INFINITY;
}

static bool reaches_higher(const struct analysis_result *a, const struct analysis_result *b)
{
    return isnan(b->high) ? !isnan(a->high) : a->high > b->high;
}

size_t certainty_leaders(const struct analysis_result *results, size_t count,
                         const struct analysis_result *leaders[CERTAINTY_LEADERS])
{
    size_t known = 0;
    /* Beside others waits have few blocks, and would be waited for eight times as long. */
    bool has_others = false;
    for (size_t i = 0; i < count; i++)
        has_others |= !kind_is_wait(results[i].kind);
    for (size_t i = 0; i < count; i++) {
        if (has_others && kind_is_wait(results[i].kind))
            continue;
        size_t place = known;
        while (place > 0 && reaches_higher(&results[i], leaders[place - 1]))
            place--;
        if (known < CERTAINTY_LEADERS)
            known++;
        for (size_t j = known; j-- > place + 1;)
            leaders[j] = leaders[j - 1];
        if (place < known)
            leaders[place] = &results[i];
    }
    return known;
}

struct certainty certainty_of(struct analysis *analysis)
{
    struct certainty certainty = {.widest = 0};
    const struct analysis_result *results, *leaders[CERTAINTY_LEADERS];
    size_t count = analysis_results(analysis, &results);
    for (size_t i = 0, length; i < count; i += length) {
        length = certainty_point_length(results + i, count - i);
        size_t known = certainty_leaders(results + i, length, leaders);
        for (size_t j = 0; j < known; j++)
            certainty.widest = fmax(certainty.widest, certainty_width(leaders[j]));
        certainty.leaders += known;
        certainty.points++;
    }
    if (certainty.leaders == 0)
        certainty.widest = INFINITY;
    return certainty;
}

/* Who has no interval yet is none of those that are waited for, but may still become the best. */
struct patience certainty_patience(const struct analysis_result *results, size_t count, double half)
{
    const struct analysis_result *leaders[CERTAINTY_LEADERS];
    size_t known = certainty_leaders(results, count, leaders), told = 0;
    struct patience patience = {PATIENCE_EARLY, 0};
    for (size_t i = 0; i < known; i++) {
        if (!isfinite(leaders[i]->low) || !isfinite(leaders[i]->high) || !isfinite(leaders[i]->chance))
            continue;
        double times = analysis_longer(leaders[i], half);
        if (isnan(times))
            return (struct patience){PATIENCE_NEVER, INFINITY};
        patience.times = fmax(patience.times, times);
        told++;
    }
    if (told > 0 && patience.times > 1)
        patience.kind = PATIENCE_LEFT;
    else if (told > 0 && told == known)
        patience.kind = PATIENCE_KNOWN;
    return patience;
}
