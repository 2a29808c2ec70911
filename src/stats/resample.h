/* A cell's windows, grouped by speedup, that can be weighed anew by drawing blocks. Internal to src/stats/.
 */
#pragma once

#include "stats/curve.h"

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

struct sampler {
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
int sampler_init(struct sampler *sampler, const struct cell *cell, const struct noise *noise,
                 double exposure);
void sampler_release(struct sampler *sampler);

void sampler_weigh_evenly(struct sampler *sampler);
void sampler_draw(struct sampler *sampler, struct rng *rng);

/* The log-ratio of times per visit that a group says with the present weights; not finite when it says
 * nothing. */
double sampler_theta(const struct sampler *sampler, const struct group *group);
