/* What units took at each speedup of one target. Internal to src/stats/. */
#pragma once

#include "stats/input/strain.h"
#include "stats/latency/quantiles.h"
#include "stats/latency/times.h"

#include <stdbool.h>

struct unit_speed {
    speedup_t speedup;
    struct times times;
};

/* Starts zeroed. Blocks go to batches by turns, with all their windows: what is alike in them cancels. */
struct unit_cell {
    struct unit_speed *speeds; /* sorted by speedup, but for 0, which is the first */
    size_t count, capacity;
    bool has_block;
    uint64_t block;
    uint32_t batch;
};

/* Counts of a window of that block, as in profiles: of the bucket and those behind it. 0, -ENOMEM, or -EINVAL where
 * the text is no such counts. */
int unit_cell_add(struct unit_cell *cell, speedup_t speedup, uint64_t block, uint64_t bucket,
                  const char *counts);
void unit_cell_release(struct unit_cell *cell);

/* Fills all[0..most) and returns how many there are. strains: of the target's windows. */
size_t unit_cell_estimate(const struct unit_cell *cell, const struct strains *strains, uint64_t seed,
                          struct latency_at *all, size_t most);
