/* A cell's windows, grouped by speedup, that can be weighed anew by drawing blocks. Internal to src/stats/.
 */
#pragma once

#include "stats/estimate/noise.h"
#include "stats/input/cell.h"

enum method { PAIRED, POOLED, LOOSE }; /* see resample.c */

/* A sped-up window of a block, or a loose window. */
struct item {
    speedup_t speedup;
    uint32_t unit; /* the block that it came from */
    double value;  /* PAIRED: exp(z) */
    double elapsed, visits, base_elapsed, base_visits;
    double exposure; /* of the baseline windows beside it; NAN: unknown */
};

struct group {
    speedup_t speedup;
    size_t first, count; /* of the items */
    size_t units;        /* blocks that took part */
};

struct resample {
    enum method method;
    struct item *items;
    double *values; /* of the items: winsorised_mean() wants them in a row */
    uint32_t *unit_weights, *weights;
    size_t item_count, unit_count;
    struct group *groups; /* sorted by speedup; LOOSE: with the one of 0 */
    size_t group_count;
    double exposure; /* the target's, where phases are to be seen in it; otherwise NAN */
};

/* `exposure` is the mean in the target's baseline windows, CPU time by time. 0 or -ENOMEM; to be released in
 * both cases. */
int resample_init(struct resample *resample, const struct cell *cell, const struct noise *noise,
                  double exposure);
void resample_release(struct resample *resample);

void resample_weigh_evenly(struct resample *resample);
void resample_draw(struct resample *resample, uint64_t *random);

/* The log-ratio of times per visit that a group says with the present weights; not finite when it says
 * nothing. */
double resample_theta(const struct resample *resample, const struct group *group);
