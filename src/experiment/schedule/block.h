/* What is tried next: the next block's target, its speedups, and how long its windows are. For the
 * controller's thread. */
#pragma once

#include "experiment/schedule/plan.h"
#include "experiment/schedule/points.h"
#include "experiment/schedule/settling.h"
#include "experiment/targets/target_names.h"
#include "experiment/targets/targets.h"

/* What blocks are made of; does not change during a run. */
struct block_inputs {
    struct segment *segment;
    const struct segment_owner *owner; /* of it */
    const struct target_names *names;
    const int *speedups;
    size_t speedup_count;
};

/* What the next block is chosen by: what was seen and tried so far. */
struct blocks {
    uint64_t seed;          /* for all that is drawn; set before the first block */
    struct targets targets; /* likewise, if some are fixed or were drawn by earlier runs */
    struct settling settling;
    uint64_t began_ns;
    uint64_t count;          /* blocks so far */
    struct points_seen seen; /* when the last one began */
    uint32_t targets_tried;  /* different ones */
    unsigned char *tried; /* per site: TRIED, and STUCK when nobody visits while it is sped up to the full */
    size_t tried_capacity;
};

/* The plan of a block. */
struct block {
    uint64_t number;
    uint32_t site;
    struct driver driver; /* who ends its windows */
    struct plan plan;     /* the speedups of its windows; empty: there is nothing to try yet */
    uint64_t window_ns;   /* how long a window is, what is left out before it apart */
    uint64_t settling_ns; /* how long the program is given to come to rest before each */
    bool is_slow;         /* visits are so rare that one is a window, and nothing is left out before it */
    bool is_long;         /* its windows are, to see what comes to rest slowly */
};

/* What stands for the block before the first: it has no windows. */
struct block blocks_begin(struct blocks *blocks, uint64_t now_ns);
void blocks_release(struct blocks *blocks);

/* Takes in what was sampled since the last block. 0 or -ENOMEM. */
int blocks_update(struct blocks *blocks, const struct block_inputs *given);

/* The block that comes after `last`: draws the progress point that ends windows, and a target, and plans.
 * Without points or samples it has no windows, and its windows' length is that of the last one. */
struct block block_begin(struct blocks *blocks, const struct block_inputs *given, uint64_t now_ns,
                         const struct block *last);

/* Nobody visited while the site was sped up to the full: that is not tried again. */
void blocks_note_stuck(struct blocks *blocks, uint32_t site);
