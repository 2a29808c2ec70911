/* What the marks do besides counting, in the present call of the function. One for the process. */
#pragma once

#include "regions/marks/names.h"

#include <stdint.h>

enum experiment_kind {
    EXPERIMENT_IDLE,  /* nothing: the function is not being called */
    EXPERIMENT_COUNT, /* they count and take the time */
    EXPERIMENT_SPIN,  /* regions spin at their marks, for a share of their own time */
    EXPERIMENT_OVERLAP, /* threads in other regions wait for a share of the time that the target is on (overlap.h) */
};

struct experiment {
    enum experiment_kind kind;
    const struct region *target; /* may be NULL */
    double in_target, elsewhere; /* SPIN: the shares, of time in the target and in other regions only */
    double share;                /* OVERLAP */
};

/* By one thread at a time. Threads see it at their next mark. */
void experiment_set(const struct experiment *experiment);

/* Changes with each experiment. */
extern uint32_t experiment_number; /* read atomically, written by experiment_set() */

/* Returns its number. Any thread. */
uint32_t experiment_get(struct experiment *out);
