/* One call of the function, with an experiment, and what its marks found. */
#pragma once

#include "regions/marks/experiment.h"

struct call {
    uint64_t ticks;    /* that it took, pauses included */
    uint64_t on_ticks; /* that the target was on; only of EXPERIMENT_OVERLAP */
    double tick_ns;
};

/* Of all threads together, since the process began. */
struct region_sum {
    uint64_t count, ticks;
};

/* By one thread at a time, ended by the thread that began it. */
void call_begin(struct call *call, const struct experiment *experiment);
void call_end(struct call *call);

/* Of the regions with ids below `count`. */
void call_sums(struct region_sum *sums, size_t count);
