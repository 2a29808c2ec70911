/* How much of a target's windows was made of pauses, at each speedup: curve.c tells what for. Internal to
 * src/stats/. */
#pragma once

#include "stats/input/blocks.h"

struct strain {
    speedup_t speedup;
    double sum; /* over its windows */
    size_t windows;
};

struct strains {
    struct strain *items;
    size_t count, capacity;
};

/* A window of that speedup and virtual length, in which delay_ns was inserted and all threads together paused
 * for paused_ns. 0 or -ENOMEM. */
int strains_add(struct strains *strains, speedup_t speedup, uint64_t duration_ns, uint64_t delay_ns,
                uint64_t paused_ns);

/* The mean over the speedup's windows; 0 when there was none. */
double strains_mean(const struct strains *strains, speedup_t speedup);

/* The largest of those means. */
double strains_most(const struct strains *strains);

void strains_release(struct strains *strains);
