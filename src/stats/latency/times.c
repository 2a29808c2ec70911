#include "stats/latency/times.h"

#include "base/log_buckets.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { STEP = 32 }; /* buckets that there is room for are a multiple of that */

static int make_room(struct times *times, uint32_t bucket)
{
    uint32_t end = times->first + times->count, first = bucket / STEP * STEP;
    if (times->count && bucket >= times->first && bucket < end)
        return 0;
    uint32_t new_first = times->count && times->first < first ? times->first : first;
    uint32_t new_end = times->count && end > first + STEP ? end : first + STEP;
    uint32_t count = new_end - new_first;
    uint64_t *counts = calloc((size_t)TIMES_BATCHES * count, sizeof *counts);
    if (!counts)
        return -ENOMEM;
    for (uint32_t batch = 0; batch < TIMES_BATCHES && times->count; batch++)
        memcpy(counts + (size_t)batch * count + (times->first - new_first),
               times->counts + (size_t)batch * times->count, times->count * sizeof *counts);
    free(times->counts);
    *times = (struct times){new_first, count, counts, times->units};
    return 0;
}

int times_add(struct times *times, uint32_t batch, uint32_t bucket, uint64_t units)
{
    if (make_room(times, bucket))
        return -ENOMEM;
    times->counts[(size_t)batch * times->count + bucket - times->first] += units;
    times->units += units;
    return 0;
}

void times_release(struct times *times)
{
    free(times->counts);
}

size_t times_batches(const struct times *times)
{
    size_t used = 0;
    for (uint32_t batch = 0; batch < TIMES_BATCHES; batch++) {
        bool any = false;
        for (uint32_t i = 0; i < times->count; i++)
            any |= times->counts[(size_t)batch * times->count + i] > 0;
        used += any;
    }
    return used;
}

int times_sum(struct times_sums *sums, const struct times *times)
{
    size_t wide = times->count + 1;
    *sums = (struct times_sums){times, calloc(TIMES_BATCHES * wide, sizeof *sums->below)};
    if (!sums->below)
        return -ENOMEM;
    for (uint32_t batch = 0; batch < TIMES_BATCHES; batch++)
        for (uint32_t i = 0; i < times->count; i++)
            sums->below[batch * wide + i + 1] =
                sums->below[batch * wide + i] + times->counts[(size_t)batch * times->count + i];
    return 0;
}

void times_sums_release(struct times_sums *sums)
{
    free(sums->below);
}

static double units_below(const struct times_sums *sums, const uint8_t *weights, uint32_t at)
{
    uint64_t units = 0;
    for (uint32_t batch = 0; batch < TIMES_BATCHES; batch++)
        units += weights[batch] * sums->below[batch * (size_t)(sums->times->count + 1) + at];
    return (double)units;
}

double times_quantile(const struct times_sums *sums, const uint8_t *weights, double q)
{
    uint32_t low = 0, high = sums->times->count;
    double wanted = q * units_below(sums, weights, high);
    if (!(wanted > 0))
        return NAN;
    /* The bucket in which as many are reached. */
    while (high - low > 1) {
        uint32_t middle = (low + high) / 2;
        if (units_below(sums, weights, middle) < wanted)
            low = middle;
        else
            high = middle;
    }
    double before = units_below(sums, weights, low), inside = units_below(sums, weights, high) - before;
    double start = (double)log_bucket_start(sums->times->first + low);
    double end = (double)log_bucket_start(sums->times->first + high);
    return start + (end - start) * fmin(1, (wanted - before) / inside);
}
