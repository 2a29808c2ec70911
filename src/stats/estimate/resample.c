/* The effect at one speedup is 1 - E[time per visit, sped up] / E[time per visit at 0].
 *
 * Paired: each sped-up window gives z = log p - mean(log p of its baseline windows) - inflation, and the
 * effect is 1 - winsorised mean of exp(z). The mean is taken of the ratios, not of their logarithms, because
 * time saved in one phase adds to time saved in another: with 75 % saved in half of the blocks and nothing in
 * the others, the program saves 37.5 % and not 1 - sqrt(0.25) = 50 %. Noise alone makes the mean of exp(z)
 * larger than 1 (by half its variance); the control says how much that is, and `inflation` takes it off.
 * What the machine stole of either window is taken off before, as far as the controls say what that costs (noise.h).
 *
 * Pooled: when windows hold few visits and these differ a lot, the mean of p over windows is not the mean
 * time of a visit (a window that ends with the first visit after T prefers long visits), while
 * sum(elapsed)/sum(visits) is (Wald's identity). So there the sums over sped-up windows are compared with the
 * sums over their baseline windows.
 *
 * Baseline windows: a machine that drifts wants the neighbours only, one that does not, or a queue whose
 * length wanders from window to window, all of the block. Of a queue that is loaded to 80 %, simulated for 24
 * s, the former err by 5.8 points, the latter by 4.7.
 *
 * Phases: where a target runs in some phases only, each speedup has met them more or less often, by chance.
 * Its effect is in proportion to that, so it is divided by the exposure of the baseline windows beside the
 * group's, and multiplied by that of all its baseline windows. This is done where the two baseline windows
 * around a sped-up one are alike in their exposure: what differs between phases then is more than what
 * differs by chance.
 *
 * Loose: windows without blocks are pooled in the same way, against all baseline windows of the target. */
#include "stats/estimate/resample.h"

#include "base/random.h"
#include "stats/estimate/curve_point.h"
#include "stats/estimate/estimate.h"
#include "stats/numbers/winsor.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* When to pool. From the simulated runs of tests/unit/stats/test_stats.c where a tenth of the visits takes ten
 * times as long and only these get faster: with 6, 20, 60 visits a window, pairing errs by 10.5, 2.7, 1.0
 * points, pooling by 0.2. Where windows hold many visits pairing is better: by 2 points against 3 when
 * something interrupts one window in twenty, and without the bias (6 points) that sums over windows of one
 * length have between phases, where sped-up phases fit in more visits. Windows that differ by less than a
 * tenth have nothing to gain from pooling. */
#define POOL_BELOW_VISITS 60.0 /* a window, on average */
#define POOL_ABOVE_SIGMA 0.12  /* of a log-ratio */

#define PHASES_ABOVE_CORRELATION 0.5
enum { PHASES_FROM_WINDOWS = 12 };

static int compare_items(const void *a, const void *b)
{
    const struct item *x = a, *y = b;
    if (x->speedup != y->speedup)
        return x->speedup < y->speedup ? -1 : 1;
    return (x->value > y->value) - (x->value < y->value);
}

static enum method choose_method(const struct cell *cell, const struct noise *noise)
{
    if (cell->rested_count < CURVE_MIN_UNITS && cell->loose_count > 0)
        return LOOSE;
    if (!(noise->sigma > POOL_ABOVE_SIGMA))
        return PAIRED;
    double visits = 0;
    size_t windows = 0;
    for (size_t i = 0; i < cell->rested_count; i++) {
        for (size_t j = 0; j < cell->blocks[i].count; j++)
            visits += cell->blocks[i].windows[j].visits;
        windows += cell->blocks[i].count;
    }
    return visits < POOL_BELOW_VISITS * (double)windows ? POOLED : PAIRED;
}

static double exposure_beside(const struct paired_window *window)
{
    double before = window->exposures[0], after = window->exposures[1];
    return isnan(before) ? after : isnan(after) ? before : (before + after) / 2;
}

/* How alike the baseline windows before and after a sped-up one are. */
static double correlation_of_exposures(const struct cell *cell)
{
    double n = 0, sum = 0, squares = 0, products = 0;
    for (size_t i = 0; i < cell->rested_count; i++) {
        for (size_t j = 0; j < cell->blocks[i].count; j++) {
            double before = cell->blocks[i].windows[j].exposures[0];
            double after = cell->blocks[i].windows[j].exposures[1];
            if (isnan(before) || isnan(after))
                continue;
            n++;
            sum += before + after;
            squares += before * before + after * after;
            products += before * after;
        }
    }
    double mean = sum / (2 * n), variance = squares / (2 * n) - mean * mean;
    return n >= PHASES_FROM_WINDOWS && variance > 0 ? (products / n - mean * mean) / variance : 0;
}

/* With the present weights; NAN when unknown. */
static double mean_exposure(const struct resample *resample, const struct group *group)
{
    double sum = 0, weights = 0;
    for (size_t i = group->first; i < group->first + group->count; i++) {
        if (isnan(resample->items[i].exposure))
            continue;
        weights += resample->weights[i];
        sum += resample->weights[i] * resample->items[i].exposure;
    }
    return sum / weights;
}

static bool has_phases(const struct resample *resample, const struct cell *cell)
{
    return resample->method != LOOSE && correlation_of_exposures(cell) > PHASES_ABOVE_CORRELATION;
}

static void fill_items(struct resample *resample, const struct cell *cell, const struct noise *noise)
{
    struct item *item = resample->items;
    if (resample->method == LOOSE) {
        for (size_t i = 0; i < cell->loose_count; i++)
            *item++ = (struct item){.speedup = cell->loose[i].speedup,
                                    .unit = (uint32_t)i,
                                    .elapsed = cell->loose[i].elapsed,
                                    .visits = cell->loose[i].visits};
        resample->unit_count = cell->loose_count;
    } else {
        for (size_t i = 0; i < cell->rested_count; i++) {
            for (size_t j = 0; j < cell->blocks[i].count; j++) {
                const struct paired_window *window = &cell->blocks[i].windows[j];
                const struct baseline *baseline = &window->baselines[noise->beside];
                bool lacks_visits = isnan(window->log_time) || !baseline->visited;
                if (!baseline->windows || (resample->method == PAIRED && lacks_visits))
                    continue;
                double inflation = noise->inflation;
                if (noise->beside == BESIDE_NEIGHBOURS && baseline->visited == 1)
                    inflation *= 2 / 1.5; /* as the variance is: see block_control() */
                *item++ =
                    (struct item){window->speedup,
                                  (uint32_t)i,
                                  exp(noise_log_ratio(noise, window) - inflation),
                                  window->elapsed * exp(-noise->per_stolen * (double)window->stolen),
                                  window->visits,
                                  baseline->elapsed * exp(-noise->per_stolen * (double)baseline->stolen),
                                  baseline->visits,
                                  exposure_beside(window)};
            }
        }
        resample->unit_count = cell->rested_count;
    }
    resample->item_count = (size_t)(item - resample->items);
    if (resample->method == POOLED)
        for (size_t i = 0; i < resample->item_count; i++)
            resample->items[i].value = (double)i; /* keeps blocks in order; NAN would upset sorting */
    qsort(resample->items, resample->item_count, sizeof *resample->items, compare_items);
}

/* One block may hold the same speedup twice. */
static void count_units(struct resample *resample)
{
    uint32_t *mark = resample->unit_weights;
    memset(mark, 0, resample->unit_count * sizeof *mark);
    for (size_t g = 0; g < resample->group_count; g++) {
        struct group *group = &resample->groups[g];
        for (size_t i = group->first; i < group->first + group->count; i++) {
            uint32_t unit = resample->items[i].unit;
            group->units += mark[unit] != g + 1;
            mark[unit] = (uint32_t)g + 1;
        }
    }
}

int resample_init(struct resample *resample, const struct cell *cell, const struct noise *noise,
                  double exposure)
{
    *resample = (struct resample){.method = choose_method(cell, noise)};
    size_t n = cell->loose_count + cell->rested_count;
    for (size_t i = 0; i < cell->rested_count; i++)
        n += cell->blocks[i].count;
    resample->items = malloc((n + 1) * sizeof *resample->items);
    resample->values = malloc((n + 1) * sizeof *resample->values);
    resample->weights = malloc((n + 1) * sizeof *resample->weights);
    resample->unit_weights = malloc((n + 1) * sizeof *resample->unit_weights);
    resample->groups = malloc((n + 1) * sizeof *resample->groups);
    if (!resample->items || !resample->values || !resample->weights || !resample->unit_weights ||
        !resample->groups)
        return -ENOMEM;
    fill_items(resample, cell, noise);
    struct group *group = resample->groups - 1;
    for (size_t i = 0; i < resample->item_count; i++) {
        const struct item *item = &resample->items[i];
        resample->values[i] = item->value;
        if (i == 0 || item->speedup != group->speedup)
            *++group = (struct group){.speedup = item->speedup, .first = i};
        group->count++;
    }
    resample->group_count = (size_t)(group + 1 - resample->groups);
    count_units(resample);
    resample->exposure = has_phases(resample, cell) ? exposure : NAN;
    return 0;
}

void resample_release(struct resample *resample)
{
    free(resample->items);
    free(resample->values);
    free(resample->weights);
    free(resample->unit_weights);
    free(resample->groups);
}

void resample_weigh_evenly(struct resample *resample)
{
    for (size_t i = 0; i < resample->item_count; i++)
        resample->weights[i] = 1;
}

void resample_draw(struct resample *resample, uint64_t *random)
{
    memset(resample->weights, 0, resample->item_count * sizeof *resample->weights);
    if (resample->method == LOOSE) {
        for (size_t g = 0; g < resample->group_count; g++) {
            const struct group *group = &resample->groups[g];
            for (size_t i = 0; i < group->count; i++)
                resample->weights[group->first + random_below(random, group->count)]++;
        }
        return;
    }
    memset(resample->unit_weights, 0, resample->unit_count * sizeof *resample->unit_weights);
    for (size_t i = 0; i < resample->unit_count; i++)
        resample->unit_weights[random_below(random, resample->unit_count)]++;
    for (size_t i = 0; i < resample->item_count; i++)
        resample->weights[i] = resample->unit_weights[resample->items[i].unit];
}

struct sums {
    double elapsed, visits, base_elapsed, base_visits;
};

static struct sums add_up(const struct resample *resample, const struct group *group)
{
    struct sums sums = {0, 0, 0, 0};
    for (size_t i = group->first; i < group->first + group->count; i++) {
        double weight = resample->weights[i];
        sums.elapsed += weight * resample->items[i].elapsed;
        sums.visits += weight * resample->items[i].visits;
        sums.base_elapsed += weight * resample->items[i].base_elapsed;
        sums.base_visits += weight * resample->items[i].base_visits;
    }
    return sums;
}

static const struct group *baseline_group(const struct resample *resample)
{
    for (size_t g = 0; g < resample->group_count; g++)
        if (resample->groups[g].speedup == 0)
            return &resample->groups[g];
    return NULL;
}

static double raw_theta(const struct resample *resample, const struct group *group)
{
    if (resample->method == PAIRED)
        return log(
            winsorised_mean(resample->values + group->first, resample->weights + group->first, group->count));
    struct sums sums = add_up(resample, group);
    if (resample->method == LOOSE) {
        const struct group *baseline = baseline_group(resample);
        if (!baseline)
            return NAN;
        struct sums base = add_up(resample, baseline);
        sums.base_elapsed = base.elapsed;
        sums.base_visits = base.visits;
    }
    return log(sums.elapsed / sums.visits) - log(sums.base_elapsed / sums.base_visits);
}

double resample_theta(const struct resample *resample, const struct group *group)
{
    double theta = raw_theta(resample, group);
    if (isnan(resample->exposure))
        return theta;
    double effect = effect_of_log_ratio(theta) * resample->exposure / mean_exposure(resample, group);
    return log_ratio_of_effect(effect);
}
