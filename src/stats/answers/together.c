#include "stats/answers/together.h"

#include <math.h>
#include <string.h>

/* Differences within this of 0 are as good as none: 10 points for a full speedup of all. */
#define SMALL 0.1

static const char between[] = " + ";

/* Where the part of that number begins, and how long it is; NULL: there are fewer. */
static const char *part_of(const char *location, size_t number, size_t *length)
{
    const char *begin = location, *end;
    for (; number > 0; number--) {
        const char *mark = strstr(begin, between);
        if (!mark)
            return NULL;
        begin = mark + strlen(between);
    }
    end = strstr(begin, between);
    *length = end ? (size_t)(end - begin) : strlen(begin);
    return begin;
}

const struct analysis_result *together_part(const struct analysis_result *result,
                                            const struct analysis_result *results, size_t count,
                                            size_t number)
{
    size_t length;
    const char *name = part_of(result->location, number, &length);
    for (size_t i = 0; name && i < count; i++)
        if (&results[i] != result && results[i].point == result->point &&
            results[i].metric == result->metric && strlen(results[i].location) == length &&
            memcmp(results[i].location, name, length) == 0)
            return isnan(results[i].impact) ? NULL : &results[i];
    return NULL;
}

static double half_of(const struct analysis_result *result)
{
    return (result->high - result->low) / 2;
}

bool together_find(const struct analysis_result *result, const struct analysis_result *results, size_t count,
                   struct together *found)
{
    size_t length;
    double half = half_of(result);
    *found = (struct together){.finding = TOGETHER_UNKNOWN};
    if (strcmp(result->kind, "together") != 0)
        return false;
    for (; part_of(result->location, found->parts, &length); found->parts++) {
        const struct analysis_result *part = together_part(result, results, count, found->parts);
        found->sum += part ? part->impact : NAN;
        half = hypot(half, part ? half_of(part) : NAN);
    }
    found->difference = result->impact - found->sum;
    found->low = found->difference - half;
    found->high = found->difference + half;
    if (found->low >= -SMALL && found->high <= SMALL)
        found->finding = TOGETHER_ADD;
    else if (found->low > 0)
        found->finding = TOGETHER_MORE;
    else if (found->high < 0)
        found->finding = TOGETHER_LESS;
    return true;
}
