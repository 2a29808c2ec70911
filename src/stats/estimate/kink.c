#include "stats/estimate/kink.h"

#include "stats/estimate/estimate.h"

#include <math.h>

enum { FULL_SPEED = 1000 };

void kink_begin(struct kink_rounds *rounds, const struct resample *resample)
{
    rounds->slower = rounds->faster = NULL;
    rounds->spread.rounds = rounds->spread.n = 0;
    /* Groups are sorted by speedup. */
    for (size_t g = 0; g < resample->group_count; g++) {
        const struct group *group = &resample->groups[g];
        if (group->speedup < 0)
            rounds->slower = group;
        else if (group->speedup > 0 && group->speedup < FULL_SPEED && !rounds->faster)
            rounds->faster = group;
    }
    if (rounds->slower && rounds->faster)
        rounds->spread.n =
            rounds->slower->units < rounds->faster->units ? rounds->slower->units : rounds->faster->units;
}

static double slope_of(const struct resample *resample, const struct group *group, const double *thetas)
{
    return group ? effect_of_log_ratio(thetas[group - resample->groups]) / (group->speedup / 1000.0) : NAN;
}

/* NAN when a side was not tried. */
static double change_of(const struct kink_rounds *rounds, const struct resample *resample,
                        const double *thetas)
{
    return slope_of(resample, rounds->faster, thetas) - slope_of(resample, rounds->slower, thetas);
}

void kink_add_round(struct kink_rounds *rounds, const struct resample *resample, const double *thetas)
{
    spread_add(&rounds->spread, change_of(rounds, resample, thetas));
}

/* What an error of theta is as one of the slope. */
static double error_of_slope(const struct resample *resample, const struct group *group, const double *thetas,
                             double error)
{
    return error * exp(thetas[group - resample->groups]) / fabs(group->speedup / 1000.0);
}

struct kink kink_end(const struct kink_rounds *rounds, const struct resample *resample, const double *thetas,
                     double sigma, double half_of_slower, double half_of_faster)
{
    struct kink kink = {NAN, NAN, NAN, NAN, NAN};
    const struct group *slower = rounds->slower, *faster = rounds->faster;
    double change = change_of(rounds, resample, thetas);
    if (!isfinite(change))
        return kink;
    double expected = hypot(sigma / (slower->speedup / 1000.0) / sqrt((double)slower->count),
                            sigma / (faster->speedup / 1000.0) / sqrt((double)faster->count));
    double method = hypot(error_of_slope(resample, slower, thetas, half_of_slower),
                          error_of_slope(resample, faster, thetas, half_of_faster));
    double half = hypot(spread_half_width(&rounds->spread, expected), method);
    kink.slower = slope_of(resample, slower, thetas);
    kink.faster = slope_of(resample, faster, thetas);
    kink.change = change;
    kink.low = change - half;
    kink.high = change + half;
    return kink;
}
