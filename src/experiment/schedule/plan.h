/* The plan of a block: which speedups its windows have, in which order. Pure. */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { PLAN_SPEEDUPS = 101, PLAN_WINDOWS = 2 * PLAN_SPEEDUPS + 1 };

struct plan {
    int permille[PLAN_WINDOWS]; /* 0, s1, 0, s2, ..., 0 */
    size_t windows;
};

/* A block of the given speedups (thousandths; 0 among them is left out) in an order drawn from *seed, a
 * baseline window before, between and after: each has its baselines next to it in time, so that a drift
 * cancels. When they are more than `most`, the target's blocks take turns (`turn`: how many it had before),
 * so that after some blocks all were there equally often. */
void plan_block(struct plan *plan, const int *permille, size_t count, size_t most, size_t turn,
                uint64_t *seed);
