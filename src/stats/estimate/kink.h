/* Whether a curve bends at 0: what making the target slower costs, beside what making it faster saves. Where
 * several things have to be done and the target is just as slow as the others, each step slower costs in full,
 * and no step faster gains. Internal to src/stats/.
 *
 * The slope of a side is that of the line from 0 to the point that is nearest to it: of all that were tried, it
 * says most about 0. So a bend that lies nearer to 0 than that point is taken for one at 0. Full speed is never
 * that point (see curve.c). */
#pragma once

#include "stats/estimate/curve_point.h"
#include "stats/estimate/resample.h"
#include "stats/numbers/spread.h"

/* On the way there: the rounds of a bootstrap. */
struct kink_rounds {
    const struct group *slower, *faster; /* NULL: not tried */
    struct spread spread;
};

/* Chooses the point of either side. */
void kink_begin(struct kink_rounds *rounds, const struct resample *resample);
/* Thetas are one for each group of the resample. */
void kink_add_round(struct kink_rounds *rounds, const struct resample *resample, const double *thetas);

/* `sigma` is the standard deviation of one window's theta, NAN: unknown; the halves are how far the method itself
 * may be off at the point of either side, as a log of time per visit. */
struct kink kink_end(const struct kink_rounds *rounds, const struct resample *resample, const double *thetas,
                     double sigma, double half_of_slower, double half_of_faster);
