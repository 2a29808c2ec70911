/* How sure a change of the rate is.
 *
 * Chance: blocks are drawn anew, as for impacts (curve.c). But here nothing is paired: what differs from block to
 * block does not cancel, and it lasts: neighbouring blocks are alike, because the machine's mood goes on. With a
 * correlation of r between neighbours, the mean of n blocks is only as sure as that of n (1 - r) / (1 + r)
 * independent ones (a first-order autoregression, as Andrews and Monahan whiten with, Econometrica 60, 1992). r is
 * taken from both profiles together, since one of 30 s has few blocks, and corrected for what few blocks
 * understate (Marriott and Pope, Biometrika 41, 1954).
 *
 * Runs: where memory lies and what the machine does otherwise differ from run to run, and no run can tell how
 * much. RUN_ERROR is what is allowed for each as standard error of the logarithm; where there are several runs, and
 * they differ by more, that counts. */
#include "stats/compare/rates.h"

#include "base/random.h"
#include "stats/estimate/curve_point.h"
#include "stats/numbers/quantile.h"
#include "stats/numbers/spread.h"
#include "stats/numbers/tests.h"
#include "stats/numbers/winsor.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define RUN_ERROR 0.01
#define ALIKE_MOST 0.9         /* of r: where it is more, the run was one mood and says nothing of others */
#define POOL_BELOW_VISITS 60.0 /* a window, on average: see resample.c */
enum { BLOCKS_FOR_ALIKE = 6, RUNS_FOR_SPREAD = 2 };

/* Blocks of one side, with room to draw them. */
struct drawn {
    struct rate_block *blocks; /* sorted by time for each visit */
    double *times;             /* theirs, if each has visits */
    uint32_t *weights;
    size_t count;
    bool pooled; /* sums over blocks, because windows hold few visits */
};

static double time_of(const struct rate_block *block)
{
    return block->elapsed / block->visits;
}

static int compare_blocks(const void *a, const void *b)
{
    double x = time_of(a), y = time_of(b);
    return (x > y) - (x < y);
}

static bool has_few_visits(const struct rate_point *point)
{
    double visits = 0, windows = 0;
    for (size_t i = 0; i < point->count; i++) {
        visits += point->blocks[i].visits;
        windows += point->blocks[i].windows;
        if (!(time_of(&point->blocks[i]) > 0 && isfinite(time_of(&point->blocks[i]))))
            return true;
    }
    return visits < POOL_BELOW_VISITS * windows;
}

static void drawn_release(struct drawn *drawn)
{
    free(drawn->blocks);
    free(drawn->times);
    free(drawn->weights);
}

static int drawn_init(struct drawn *drawn, const struct rate_point *point, bool pooled)
{
    size_t n = point->count;
    *drawn = (struct drawn){malloc(n * sizeof *drawn->blocks), malloc(n * sizeof *drawn->times),
                            malloc(n * sizeof *drawn->weights), n, pooled};
    if (!drawn->blocks || !drawn->times || !drawn->weights) {
        drawn_release(drawn);
        return -ENOMEM;
    }
    memcpy(drawn->blocks, point->blocks, n * sizeof *drawn->blocks);
    if (!pooled)
        qsort(drawn->blocks, n, sizeof *drawn->blocks, compare_blocks);
    for (size_t i = 0; i < n; i++) {
        drawn->times[i] = time_of(&drawn->blocks[i]);
        drawn->weights[i] = 1;
    }
    return 0;
}

/* The logarithm of the time for each visit, with the present weights. */
static double centre_of(const struct drawn *drawn)
{
    if (!drawn->pooled)
        return log(winsorised_mean(drawn->times, drawn->weights, drawn->count));
    double elapsed = 0, visits = 0;
    for (size_t i = 0; i < drawn->count; i++) {
        elapsed += drawn->weights[i] * drawn->blocks[i].elapsed;
        visits += drawn->weights[i] * drawn->blocks[i].visits;
    }
    return log(elapsed / visits);
}

/* As if blocks were independent. Weighs them anew. */
static double draw_error(struct drawn *drawn, uint64_t *random)
{
    struct spread spread = {.n = drawn->count};
    for (int round = 0; round < BOOTSTRAP_ROUNDS; round++) {
        memset(drawn->weights, 0, drawn->count * sizeof *drawn->weights);
        for (size_t i = 0; i < drawn->count; i++)
            drawn->weights[random_below(random, drawn->count)]++;
        spread_add(&spread, centre_of(drawn));
    }
    struct spread_error known = spread_error(&spread, NAN);
    return known.freedom > 0 ? known.error : INFINITY;
}

/* The logarithms of each block's time, less the mean of its run; NAN where it has none. */
static void fill_residuals(const struct rate_point *point, double *residuals)
{
    for (size_t first = 0, end; first < point->count; first = end) {
        double sum = 0, n = 0;
        for (end = first; end < point->count && point->blocks[end].run == point->blocks[first].run; end++) {
            double x = log(time_of(&point->blocks[end]));
            residuals[end] = isfinite(x) ? x : NAN;
            sum += isfinite(x) ? x : 0;
            n += isfinite(x);
        }
        for (size_t i = first; i < end; i++)
            residuals[i] -= sum / n;
    }
}

/* Adds to the sums whose quotient is the correlation of neighbours. 0 or -ENOMEM. */
static int add_alike(const struct rate_point *point, double *products, double *squares)
{
    double *residuals = malloc(point->count * sizeof *residuals);
    if (!residuals)
        return -ENOMEM;
    fill_residuals(point, residuals);
    for (size_t i = 0; i < point->count; i++) {
        if (isnan(residuals[i]))
            continue;
        *squares += residuals[i] * residuals[i];
        if (i > 0 && point->blocks[i].run == point->blocks[i - 1].run && !isnan(residuals[i - 1]))
            *products += residuals[i] * residuals[i - 1];
    }
    free(residuals);
    return 0;
}

static size_t count_runs(const struct rate_point *point)
{
    size_t runs = point->count > 0;
    for (size_t i = 1; i < point->count; i++)
        runs += point->blocks[i].run != point->blocks[i - 1].run;
    return runs;
}

/* How alike neighbouring blocks are. */
static int find_alike(const struct rate_point *const points[2], double *alike)
{
    double products = 0, squares = 0, n = 0;
    *alike = 0;
    for (int side = 0; side < 2; side++) {
        if (add_alike(points[side], &products, &squares) < 0)
            return -ENOMEM;
        n += (double)points[side]->count / (double)count_runs(points[side]); /* each run loses its mean */
    }
    if (n / 2 < BLOCKS_FOR_ALIKE || !(squares > 0))
        return 0;
    double length = n / 2, seen = products / squares;
    *alike = fmin(fmax((seen + 1 / length) / (1 - 3 / length), 0), ALIKE_MOST);
    return 0;
}

/* Adds the squares of how far runs stray from their side's mean. */
static void add_run_squares(const struct rate_point *point, double *squares, size_t *freedom)
{
    double sum = 0, square = 0, runs = 0;
    for (size_t first = 0, end; first < point->count; first = end) {
        double elapsed = 0, visits = 0;
        for (end = first; end < point->count && point->blocks[end].run == point->blocks[first].run; end++) {
            elapsed += point->blocks[end].elapsed;
            visits += point->blocks[end].visits;
        }
        double x = log(elapsed / visits);
        if (!isfinite(x))
            continue;
        sum += x;
        square += x * x;
        runs++;
    }
    if (runs < 2)
        return;
    *squares += fmax(square - sum * sum / runs, 0);
    *freedom += (size_t)runs - 1;
}

/* Where runs differ by more than their blocks tell, that is what counts. */
static void allow_for_runs(const struct rate_point *const points[2], struct rate_change *change)
{
    double squares = 0, each = 1 / (double)change->runs[0] + 1 / (double)change->runs[1];
    size_t freedom = 0;
    for (int side = 0; side < 2; side++)
        add_run_squares(points[side], &squares, &freedom);
    if (freedom < RUNS_FOR_SPREAD)
        return;
    double error = sqrt(squares / (double)freedom * each);
    if (error > change->error) {
        change->error = error;
        change->freedom = (double)freedom;
    }
}

/* Of one side: where its centre is, and how sure that is. */
static int find_centre(const struct rate_point *point, bool pooled, double alike, uint64_t *random,
                       double *centre, double *error, double *freedom)
{
    struct drawn drawn;
    if (drawn_init(&drawn, point, pooled) < 0)
        return -ENOMEM;
    double lasting = (1 + alike) / (1 - alike);
    *centre = centre_of(&drawn);
    *error = draw_error(&drawn, random) * sqrt(lasting);
    *freedom = fmax((double)point->count / lasting - 1, 1);
    drawn_release(&drawn);
    return 0;
}

static int find_change(const struct rate_point *const points[2], uint64_t seed, struct rate_change *change)
{
    double alike, centres[2], errors[4], freedoms[4] = {0, 0, INFINITY, INFINITY};
    bool pooled = has_few_visits(points[0]) || has_few_visits(points[1]);
    uint64_t random = seed;
    if (find_alike(points, &alike) < 0)
        return -ENOMEM;
    for (int side = 0; side < 2; side++) {
        if (find_centre(points[side], pooled, alike, &random, &centres[side], &errors[side],
                        &freedoms[side]) < 0)
            return -ENOMEM;
        change->runs[side] = count_runs(points[side]);
        errors[2 + side] = RUN_ERROR / sqrt((double)change->runs[side]);
    }
    change->before = exp(centres[0]) / 1e9;
    change->after = exp(centres[1]) / 1e9;
    double variance = 0;
    for (int i = 0; i < 4; i++)
        variance += errors[i] * errors[i];
    if (points[0]->count < CURVE_MIN_UNITS || points[1]->count < CURVE_MIN_UNITS || !isfinite(variance) ||
        !isfinite(centres[1] - centres[0]))
        return 0;
    change->change = centres[1] - centres[0];
    change->error = sqrt(variance);
    change->freedom = freedom_of_sum(errors, freedoms, 4);
    allow_for_runs(points, change);
    return 0;
}

int rates_compare(const struct rate_point *before, const struct rate_point *after, uint64_t seed,
                  struct rate_change *change)
{
    const struct rate_point *points[2] = {before, after};
    *change = (struct rate_change){NAN, NAN, NAN, INFINITY, 0, {0, 0}, {0, 0}};
    for (int side = 0; side < 2; side++)
        change->units[side] = points[side] ? points[side]->count : 0;
    if (change->units[0] == 0 || change->units[1] == 0)
        return 0;
    return find_change(points, seed, change);
}
