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
struct tally {
    uint32_t point;
    double elapsed, visits;
};

struct block_window {
    speedup_t speedup;
    uint64_t place;  /* in the block; neighbours differ by 1 */
    double exposure; /* CPU time in the target, by time; NAN: unknown */
    double stolen;   /* by the machine, by time (stolen.h); 0: nothing, or unknown */
    struct tally *tallies;
    size_t count, capacity;
};

/* A window's logarithm of time per visit. */
struct timed {
    double log_time, stolen;
};

struct block {
    struct block_window *windows;
    struct timed *times; /* as many, for whoever sorts some */
    size_t count, capacity;
};

/* Which baseline windows a sped-up one is compared with: the ones right before and after it, whichever exist,
 * which saw the same machine; or all of its block, whose mean has less noise. The control says what is better
 * (curve.c). */
enum beside { BESIDE_NEIGHBOURS, BESIDE_BLOCK, BESIDE_KINDS };

struct baseline {
    uint32_t windows;      /* 0: there is none to compare with */
    float elapsed, visits; /* of them all */
    uint32_t visited;      /* windows with visits */
    float log_time;        /* the winsorised mean of these ones' logs of time per visit; NAN: there is none */
    float stolen;          /* what was stolen in those that count in that mean */
};

struct paired_window {
    speedup_t speedup;
    float log_time; /* of time per visit; NAN: no visit */
    float elapsed, visits, stolen;
    struct baseline baselines[BESIDE_KINDS];
    float exposures[2]; /* of the baseline windows before and after it; NAN: there is none */
};

/* One baseline window against others. */
struct control_value {
    double difference; /* log-ratio of times per visit */
    double stolen;     /* how much more was stolen in it */
};

/* Of a window, what is known before it has tallies. 0, or -ENOMEM. A place of 0 stands for "after the one before, as far
 * as is known". */
int block_add_window(struct block *block, const struct block_window *window);
int block_add_tally(struct block *block, const struct tally *tally); /* to the last window */
bool block_has_point(const struct block_window *window, uint32_t point);
void block_clear(struct block *block); /* keeps the memory */
void block_release(struct block *block);

/* Writes at most block->count pairs, those that have a baseline of some kind; returns how many. */
size_t block_pair(const struct block *block, uint32_t point, struct paired_window *out);

/* The control: how far each baseline window is from the other baseline windows, as if it were a sped-up one and
 * compared with these. Writes at most block->count; returns how many. */
size_t block_control(const struct block *block, uint32_t point, enum beside beside,
                     struct control_value *out);
