/* Turns the windows of one block into sped-up windows paired with their baselines. Internal to src/stats/. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Speedups are compared as whole thousandths, so that 0.1 from two sources is one speedup. */
typedef int32_t speedup_t;
speedup_t speedup_of_double(double speedup);

/* What one point did in one window: elapsed / visits is its time per visit. For a latency point, elapsed is
 * the time spent in progress by all requests together (mean number in progress * elapsed) and visits the
 * arrivals, so that the same quotient is the mean latency (Little's law). */
struct reading {
    uint32_t point;
    double elapsed, visits;
};

struct block_window {
    speedup_t speedup;
    uint64_t place; /* in the block; neighbours differ by 1 */
    struct reading *readings;
    size_t count, capacity;
};

struct block {
    struct block_window *windows;
    size_t count, capacity;
};

/* A sped-up window and the baseline windows right before and after it, whichever exist. */
struct paired_window {
    speedup_t speedup;
    uint32_t neighbours;   /* 1 or 2 */
    float log_ratio;       /* log time per visit, less the neighbours' mean; NAN: one had no visit */
    float elapsed, visits; /* of the sped-up window */
    float base_elapsed, base_visits; /* sums of the neighbours */
};

/* 0, or -ENOMEM. A place of 0 stands for "after the one before, as far as is known". */
int block_add_window(struct block *block, speedup_t speedup, uint64_t place);
int block_add_reading(struct block *block, const struct reading *reading); /* to the last window */
bool block_has_point(const struct block_window *window, uint32_t point);
void block_clear(struct block *block); /* keeps the memory */
void block_release(struct block *block);

/* Writes at most block->count pairs; returns how many. */
size_t block_pair(const struct block *block, uint32_t point, struct paired_window *out);

/* The control: how far each baseline window is from the baseline windows before and after it (log-ratio),
 * scaled to the spread of a single window. Writes at most block->count; returns how many. */
size_t block_control(const struct block *block, uint32_t point, double *out);
