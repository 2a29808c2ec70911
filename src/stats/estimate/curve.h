/* From what a cell kept to its curve of effects, with intervals. Internal to src/stats/. */
#pragma once

#include "stats/estimate/curve_point.h"
#include "stats/estimate/kink.h"
#include "stats/estimate/noise.h"
#include "stats/input/cell.h"
#include "stats/input/strain.h"

struct curve {
    struct curve_point *points; /* owned; sorted by speedup; not phase-corrected */
    size_t count;
    double impact, low, high;
    double chance;   /* half of the impact's interval, were there nothing but chance */
    double freedom;  /* degrees of freedom that `chance` is known with; 0: it is not */
    double strain;   /* what part of its windows was made of pauses, at the speedup where it was most */
    double allowed;  /* an impact of this size comes out of noise alone in 5 % of cases; 0 when unknown */
    bool has_phases; /* the target runs in some of the program's phases only: see resample.c */
    struct kink kink;
    size_t units;       /* blocks (or windows, without blocks) that the curve rests on */
    size_t least_units; /* with fewer it is no answer */
};

/* Otherwise nothing is told of the target but that it was tried. */
static inline bool curve_is_answer(const struct curve *curve)
{
    return curve->count > 0 && curve->units >= curve->least_units;
}

/* The 95 % half-width of what the method is off at that speedup, as a log of time per visit, where that is theta. */
double curve_method_half_width(const struct strains *strains, speedup_t speedup, double theta);

/* How much of a target there is in its baseline windows. */
struct target_part {
    double exposure; /* its CPU time, by time */
    /* What part of a visit's time it may save, were it gone (smooth.h); NAN: it may save anything. */
    double share;
};

/* Of a target's cell, and the strains of its windows. Deterministic for a seed. 0 or -ENOMEM. A cell that allows no
 * estimate gives count 0. */
int curve_estimate(struct curve *curve, struct cell *cell, const struct strains *strains,
                   const struct noise *noise, struct target_part part, uint64_t seed);
