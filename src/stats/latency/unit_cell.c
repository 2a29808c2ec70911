/* Quantiles come from all units of a speedup together, and their intervals from a bootstrap over batches of blocks,
 * drawn alike for all speedups: a batch's baseline is drawn with what is compared with it. What the method itself is
 * off (curve.c) is in the intervals of what was sped up. */
#include "stats/latency/unit_cell.h"

#include "base/array.h"
#include "base/log_buckets.h"
#include "base/random.h"
#include "stats/estimate/curve.h"
#include "stats/estimate/estimate.h"
#include "stats/numbers/spread.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const double latency_quantiles[LATENCY_QUANTILES] = {0.5, 0.9, 0.99};

/* A quantile is told when so many units are above it, or it would be the whim of a few. */
#define UNITS_ABOVE 10
enum { LEAST_BATCHES = 3 };

static bool stands_before(speedup_t a, speedup_t b)
{
    return b != 0 && (a == 0 || a < b);
}

static struct unit_speed *find_speed(struct unit_cell *cell, speedup_t speedup)
{
    size_t at = 0;
    while (at < cell->count && stands_before(cell->speeds[at].speedup, speedup))
        at++;
    if (at < cell->count && cell->speeds[at].speedup == speedup)
        return &cell->speeds[at];
    if (cell->count == cell->capacity) {
        void *more = array_grown(cell->speeds, &cell->capacity, sizeof *cell->speeds);
        if (!more)
            return NULL;
        cell->speeds = more;
    }
    memmove(cell->speeds + at + 1, cell->speeds + at, (cell->count - at) * sizeof *cell->speeds);
    cell->speeds[at] = (struct unit_speed){.speedup = speedup};
    cell->count++;
    return &cell->speeds[at];
}

int unit_cell_add(struct unit_cell *cell, speedup_t speedup, uint64_t block, uint64_t bucket,
                  const char *counts)
{
    if (cell->has_block && cell->block != block)
        cell->batch = (cell->batch + 1) % TIMES_BATCHES;
    cell->has_block = true;
    cell->block = block;
    struct unit_speed *speed = find_speed(cell, speedup);
    if (!speed)
        return -ENOMEM;
    for (char *rest; *counts; counts = rest, bucket++) {
        uint64_t units = strtoull(counts, &rest, 10);
        if (rest == counts || *counts == '-' || bucket >= LOG_BUCKETS)
            return -EINVAL;
        while (isspace((unsigned char)*rest))
            rest++;
        int rc = units ? times_add(&speed->times, cell->batch, (uint32_t)bucket, units) : 0;
        if (rc)
            return rc;
    }
    return 0;
}

void unit_cell_release(struct unit_cell *cell)
{
    for (size_t i = 0; i < cell->count; i++)
        times_release(&cell->speeds[i].times);
    free(cell->speeds);
}

/* The logs of quantiles, and of their ratios to those when nothing is changed, of each round. */
struct quantile_spread {
    struct spread times[LATENCY_QUANTILES], ratios[LATENCY_QUANTILES];
};

/* weights: BOOTSTRAP_ROUNDS times TIMES_BATCHES. */
static void draw_rounds(struct quantile_spread *spread, const struct times_sums *baseline,
                        const struct times_sums *sums, const uint8_t *weights)
{
    size_t batches = times_batches(sums->times);
    memset(spread, 0, sizeof *spread);
    for (int q = 0; q < LATENCY_QUANTILES; q++) {
        spread->times[q].n = spread->ratios[q].n = batches;
        for (int round = 0; round < BOOTSTRAP_ROUNDS; round++) {
            const uint8_t *drawn = weights + (size_t)round * TIMES_BATCHES;
            double time = log(times_quantile(sums, drawn, latency_quantiles[q]));
            spread_add(&spread->times[q], time);
            spread_add(&spread->ratios[q], time - log(times_quantile(baseline, drawn, latency_quantiles[q])));
        }
    }
}

static bool is_known(const struct times *times, double q)
{
    return round((1 - q) * (double)times->units) >= UNITS_ABOVE;
}

static double half_width(const struct spread *spread, double method)
{
    return spread->n < LEAST_BATCHES ? NAN : hypot(spread_half_width(spread, NAN), method);
}

static void fill_at(struct latency_at *at, const struct quantile_spread *spread,
                    const struct times_sums *baseline, const struct times_sums *sums,
                    const struct strains *strains, speedup_t speedup)
{
    uint8_t once[TIMES_BATCHES];
    memset(once, 1, sizeof once);
    for (int q = 0; q < LATENCY_QUANTILES; q++) {
        double time = times_quantile(sums, once, latency_quantiles[q]);
        double theta = log(time / times_quantile(baseline, once, latency_quantiles[q]));
        bool has_effect = speedup && is_known(baseline->times, latency_quantiles[q]);
        double method = has_effect ? curve_method_half_width(strains, speedup, theta) : 0;
        double half = half_width(&spread->times[q], method);
        at->ns[q] = at->effects[q] = (struct latency_value){NAN, NAN, NAN};
        if (!is_known(sums->times, latency_quantiles[q]))
            continue;
        at->ns[q] = (struct latency_value){time, time * exp(-half), time * exp(half)};
        half = half_width(&spread->ratios[q], method);
        if (has_effect)
            at->effects[q] =
                (struct latency_value){effect_of_log_ratio(theta), effect_of_log_ratio(theta + half),
                                       effect_of_log_ratio(theta - half)};
    }
}

static void draw_weights(uint8_t *weights, uint64_t seed)
{
    memset(weights, 0, (size_t)BOOTSTRAP_ROUNDS * TIMES_BATCHES);
    for (size_t round = 0; round < BOOTSTRAP_ROUNDS; round++)
        for (int i = 0; i < TIMES_BATCHES; i++)
            weights[round * TIMES_BATCHES + random_below(&seed, TIMES_BATCHES)]++;
}

size_t unit_cell_estimate(const struct unit_cell *cell, const struct strains *strains, uint64_t seed,
                          struct latency_at *all, size_t most)
{
    static const struct times none;
    struct times_sums baseline, sums;
    uint8_t *weights = malloc((size_t)BOOTSTRAP_ROUNDS * TIMES_BATCHES);
    struct quantile_spread *spread = malloc(sizeof *spread);
    bool has_baseline = cell->count > 0 && cell->speeds[0].speedup == 0;
    size_t count = 0;
    if (times_sum(&baseline, has_baseline ? &cell->speeds[0].times : &none) == 0 && weights && spread) {
        draw_weights(weights, seed);
        for (; count < cell->count && count < most; count++) {
            const struct unit_speed *speed = &cell->speeds[count];
            if (times_sum(&sums, &speed->times))
                break;
            draw_rounds(spread, &baseline, &sums, weights);
            all[count] = (struct latency_at){.speedup = speed->speedup / 1000.0, .units = speed->times.units};
            fill_at(&all[count], spread, &baseline, &sums, strains, speed->speedup);
            times_sums_release(&sums);
        }
    }
    times_sums_release(&baseline);
    free(weights);
    free(spread);
    return count;
}
