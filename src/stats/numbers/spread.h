/* What the rounds of a bootstrap say about how sure estimates are. Internal to src/stats/. */
#pragma once

#include "stats/numbers/winsor.h"

#include <stddef.h>

#define LEVEL 0.95 /* of intervals */

/* Of one estimate, that rests on n blocks. */
struct spread {
    double values[BOOTSTRAP_ROUNDS]; /* one of each round; not finite: that round says nothing */
    size_t rounds, n;
};

void spread_add(struct spread *spread, double value);

/* The standard error of the estimate, and the degrees of freedom that it is known with; 0: nothing is known. */
struct spread_error {
    double error, freedom;
};

/* `expected` is the standard error that the control predicts, NAN: unknown. */
struct spread_error spread_error(const struct spread *spread, double expected);

/* Half the width of the interval; INFINITY: nothing is known. */
double spread_half_width(const struct spread *spread, double expected);

/* The mean correlation between the estimates of the same rounds, 0..1: baselines that they share, and the
 * machine's mood. Not less than 0, which only chance makes of few blocks. */
double spread_correlation(const struct spread *const *spreads, size_t count);
