/* Intervals come from a bootstrap over blocks: the speedups of one block share baselines and the machine's
 * mood, and are drawn together. With few blocks the bootstrap's variance is itself uncertain; it is then
 * averaged with what the control predicts, weighing as much as PRIOR_BLOCKS blocks.
 *
 * The impact of a target is the slope of the straight line through the origin that fits the effects at all
 * speedups best (least squares, each speedup weighing as much as it has windows): an impact of 0.3 says that
 * making the target x % faster makes the program 0.3 x % faster, as far as one number can say it. What making it
 * slower costs has no part in that, where both were tried: the curve may bend at 0 (kink.h).
 *
 * Beside chance there is what the method itself is off: a pause is never quite as long as it is meant to be,
 * and never quite at the right moment. That does not get less with more windows. It grows with how much of a
 * window is made of pauses, its strain: paused time (of all threads, but no more than the delay) as a share
 * of the window's virtual length. With single threads, or where waiting is credited, nobody pauses, and there
 * is none. PAUSE_ERROR is the standard error of a log time per visit, per strain. And a profiled line takes
 * its own samples' cost and finds its caches colder than it would alone, so that its share is not quite what
 * it was: SHARE_ERROR is the standard error of a log time per visit as a part of it. docs/history/accuracy.md
 * tells how both were found. Intervals allow for chance and for these. */
#include "stats/estimate/curve.h"

#include "stats/estimate/estimate.h"
#include "stats/estimate/resample.h"
#include "stats/numbers/smooth.h"
#include "stats/numbers/spread.h"
#include "stats/numbers/winsor.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PAUSE_ERROR 0.08
#define SHARE_ERROR 0.07

/* At full speedup nothing ends in which only the target runs: such windows are given up, and those that are
 * left are the ones in which it did little. They say nothing about smaller speedups, */
static bool is_comparable(const struct group *group)
{
    return group->speedup < 1000;
}

static bool any_is_comparable(const struct resample *resample)
{
    for (size_t g = 0; g < resample->group_count; g++)
        if (resample->groups[g].speedup != 0 && is_comparable(&resample->groups[g]))
            return true;
    return false;
}

/* ...and little about the target, if there are phases in which it is all that runs. */
static bool says_something(const struct resample *resample, const struct group *group)
{
    bool is_selected = !is_comparable(group) && !isnan(resample->exposure) && any_is_comparable(resample);
    return group->speedup != 0 && !is_selected;
}

static bool any_is_faster(const struct resample *resample)
{
    for (size_t g = 0; g < resample->group_count; g++)
        if (resample->groups[g].speedup > 0 && says_something(resample, &resample->groups[g]))
            return true;
    return false;
}

static bool is_of_impact(const struct resample *resample, const struct group *group)
{
    return says_something(resample, group) && (group->speedup > 0 || !any_is_faster(resample));
}

/* Fits the impact to thetas[g] of each group; weight gets the sum of n s^2. */
static double fit_slope(const struct resample *resample, const double *thetas, double *weight)
{
    double product = 0, square = 0;
    for (size_t g = 0; g < resample->group_count; g++) {
        double speedup = resample->groups[g].speedup / 1000.0;
        if (!is_of_impact(resample, &resample->groups[g]) || !isfinite(thetas[g]))
            continue;
        double n = (double)resample->groups[g].count;
        product += n * speedup * effect_of_log_ratio(thetas[g]);
        square += n * speedup * speedup;
    }
    *weight = square;
    return square > 0 ? product / square : NAN;
}

double curve_method_half_width(const struct strains *strains, speedup_t speedup, double theta)
{
    return quantile_normal(0.5 + LEVEL / 2) *
           hypot(PAUSE_ERROR * strains_mean(strains, speedup), SHARE_ERROR * theta);
}

/* How far off that makes the impact on one side of it, +1: above, -1: below; the method is off at all speedups to
 * the same side. Where visits take much longer, it is less far off above than below: a factor of two is half of
 * them one way, and all of them the other way. Never more than in proportion: at full speedup there is no end. */
static double method_part_of_impact(const struct resample *resample, const struct strains *strains,
                                    const double *thetas, double weight, int side)
{
    double sum = 0;
    for (size_t g = 0; g < resample->group_count; g++) {
        const struct group *group = &resample->groups[g];
        if (!is_of_impact(resample, group) || !isfinite(thetas[g]))
            continue;
        double half = curve_method_half_width(strains, group->speedup, thetas[g]);
        int way = group->speedup > 0 ? -side : side;
        double off = fabs(effect_of_log_ratio(thetas[g] + way * half) - effect_of_log_ratio(thetas[g]));
        sum += (double)group->count * fabs(group->speedup / 1000.0) * fmin(off, exp(thetas[g]) * half);
    }
    return sum / weight;
}

/* A group of one block cannot tell its own error. While no control can either, what the blocks of all
 * speedups say about the impact's does: an impact that rests on one window at full speedup would be that far
 * off. */
static double error_of(const struct spread *spread, const struct group *group, double sigma,
                       double sigma_of_impact)
{
    double windows = sqrt((double)group->count), half = spread_half_width(spread, sigma / windows);
    if (isinf(half))
        half = spread_half_width(spread, sigma_of_impact / windows);
    return half / quantile_normal(0.5 + LEVEL / 2);
}

/* One point for each group that says something; what it says goes into curve->points, smoothed. */
static int fill_points(struct curve *curve, const struct resample *resample, const struct strains *strains,
                       double sigma, double sigma_of_impact, double share, const double *thetas,
                       const struct spread *spreads)
{
    double level = quantile_normal(0.5 + LEVEL / 2);
    struct smooth_point *points = malloc(resample->group_count * sizeof *points);
    const struct spread **used = malloc(resample->group_count * sizeof *used);
    if (!points || !used) {
        free(points);
        free(used);
        return -ENOMEM;
    }
    size_t smoothed = 0;
    for (size_t g = 0; g < resample->group_count; g++) {
        const struct group *group = &resample->groups[g];
        if (group->speedup == 0 || !isfinite(thetas[g]))
            continue;
        smoothed += is_comparable(group);
        used[curve->count] = &spreads[g];
        points[curve->count] = (struct smooth_point){
            .speedup = group->speedup / 1000.0,
            .effect = effect_of_log_ratio(thetas[g]),
            .error = error_of(&spreads[g], group, sigma, sigma_of_impact),
        };
        curve->points[curve->count++] =
            (struct curve_point){.speedup = group->speedup / 1000.0, .windows = group->count};
    }
    int code = smooth(points, smoothed, spread_correlation(used, smoothed), share);
    for (size_t i = 0; i < curve->count; i++) {
        struct curve_point *point = &curve->points[i];
        double log_left = log_ratio_of_effect(points[i].effect);
        double half =
            hypot(level * points[i].error,
                  curve_method_half_width(strains, (speedup_t)lround(1000 * point->speedup), log_left));
        point->effect = points[i].effect;
        point->low = effect_of_log_ratio(log_left + half);
        point->high = effect_of_log_ratio(log_left - half);
    }
    free(points);
    free(used);
    return code;
}

static int fill_curve(struct curve *curve, const struct resample *resample, const struct strains *strains,
                      const struct noise *noise, double share, const double *thetas,
                      const struct spread *spreads, double weight)
{
    const struct spread *impact_spread = &spreads[resample->group_count];
    /* Sums of few visits have other noise than their logarithms, and loose windows have no control. */
    double sigma = resample->method == PAIRED ? noise->sigma : NAN;
    curve->chance = spread_half_width(impact_spread, sigma / sqrt(weight));
    curve->freedom = spread_error(impact_spread, sigma / sqrt(weight)).freedom;
    curve->low =
        curve->impact - hypot(curve->chance, method_part_of_impact(resample, strains, thetas, weight, -1));
    curve->high =
        curve->impact + hypot(curve->chance, method_part_of_impact(resample, strains, thetas, weight, 1));
    curve->units = impact_spread->n;
    curve->least_units = isnan(sigma) ? CURVE_MIN_UNITS : CURVE_MIN_KNOWN_UNITS;
    curve->has_phases = !isnan(resample->exposure);
    curve->allowed = isnan(noise->sigma) ? 0 : quantile_normal(0.5 + LEVEL / 2) * noise->sigma / sqrt(weight);
    double sigma_of_impact = curve->chance / quantile_normal(0.5 + LEVEL / 2) * sqrt(weight);
    return fill_points(curve, resample, strains, sigma, sigma_of_impact, share, thetas, spreads);
}

/* Blocks that the impact rests on; without blocks, windows of the speedup that has fewest (it, or the
 * baseline, limits what can be known). */
static size_t units_of(const struct resample *resample)
{
    size_t most = 0, baseline = 0, total = 0;
    for (size_t g = 0; g < resample->group_count; g++) {
        const struct group *group = &resample->groups[g];
        if (group->speedup == 0)
            baseline = group->units;
        else if (group->units > most)
            most = group->units;
        total += group->units;
    }
    if (resample->method == LOOSE)
        return most < baseline ? most : baseline;
    return resample->unit_count < total ? resample->unit_count : total;
}

static struct kink find_kink(const struct kink_rounds *rounds, const struct resample *resample,
                             const struct strains *strains, const struct noise *noise, const double *thetas)
{
    double halves[2] = {0, 0};
    const struct group *sides[2] = {rounds->slower, rounds->faster};
    for (int i = 0; i < 2; i++)
        if (sides[i])
            halves[i] =
                curve_method_half_width(strains, sides[i]->speedup, thetas[sides[i] - resample->groups]);
    return kink_end(rounds, resample, thetas, resample->method == PAIRED ? noise->sigma : NAN, halves[0],
                    halves[1]);
}

static int draw_rounds(struct curve *curve, struct resample *resample, const struct strains *strains,
                       const struct noise *noise, double share, uint64_t seed)
{
    size_t count = resample->group_count;
    double *thetas = malloc(2 * count * sizeof *thetas), *drawn = thetas + count;
    struct spread *spreads = calloc(count + 1, sizeof *spreads); /* the last one is the impact's */
    curve->points = malloc(count * sizeof *curve->points);
    if (!thetas || !spreads || !curve->points) {
        free(thetas);
        free(spreads);
        return -ENOMEM;
    }
    uint64_t random = seed;
    struct kink_rounds kink;
    kink_begin(&kink, resample);
    struct spread *impact_spread = &spreads[count];
    impact_spread->n = units_of(resample);
    double weight, drawn_weight;
    resample_weigh_evenly(resample);
    for (size_t g = 0; g < count; g++) {
        thetas[g] = resample_theta(resample, &resample->groups[g]);
        spreads[g].n = resample->groups[g].units;
        if (resample->method == LOOSE && spreads[g].n > impact_spread->n)
            spreads[g].n = impact_spread->n;
    }
    curve->impact = fit_slope(resample, thetas, &weight);
    for (int round = 0; round < BOOTSTRAP_ROUNDS; round++) {
        resample_draw(resample, &random);
        for (size_t g = 0; g < count; g++) {
            drawn[g] = resample_theta(resample, &resample->groups[g]);
            spread_add(&spreads[g], drawn[g]);
        }
        spread_add(impact_spread, fit_slope(resample, drawn, &drawn_weight));
        kink_add_round(&kink, resample, drawn);
    }
    curve->kink = find_kink(&kink, resample, strains, noise, thetas);
    int code = isfinite(curve->impact)
                   ? fill_curve(curve, resample, strains, noise, share, thetas, spreads, weight)
                   : 0;
    free(thetas);
    free(spreads);
    return code;
}

int curve_estimate(struct curve *curve, struct cell *cell, const struct strains *strains,
                   const struct noise *noise, struct target_part part, uint64_t seed)
{
    struct resample resample;
    *curve = (struct curve){.impact = NAN,
                            .low = -INFINITY,
                            .high = INFINITY,
                            .chance = INFINITY,
                            .kink = {NAN, NAN, NAN, NAN, NAN},
                            .strain = strains_most(strains),
                            .least_units = CURVE_MIN_UNITS};
    cell_choose_rested(cell, CURVE_MIN_UNITS);
    int code = resample_init(&resample, cell, noise, part.exposure);
    if (code == 0 && resample.group_count > 0)
        code = draw_rounds(curve, &resample, strains, noise, part.share, seed);
    resample_release(&resample);
    return code;
}
