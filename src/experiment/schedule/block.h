/* What is tried next: the next block's target, its speedups, and how long its windows are. For the
 * controller's thread. */
#pragma once

#include "experiment/schedule/plan.h"
#include "experiment/schedule/points.h"
#include "experiment/schedule/settling.h"
#include "experiment/targets/target_names.h"
#include "experiment/targets/targets.h"

/* Where blocks come from. */
struct blocks {
    /* Given by the session. */
    struct segment *segment;
    const struct segment_owner *owner; /* of it */
    const struct target_names *names;
    const int *speedups;
    size_t speedup_count;
    uint64_t seed;
    struct targets targets;

    /* What is told outside. */
    uint32_t targets_tried;

    /* Its own. */
    uint64_t began_ns;
    uint64_t count;       /* blocks so far */
    unsigned char *tried; /* per site: TRIED, and STUCK when nobody visits while it is sped up to the full */
    size_t tried_capacity;
};

struct block {
    uint64_t number;
    uint32_t site;
    struct driver driver; /* who ends its windows */
    struct plan plan;     /* empty: there is nothing to try yet */
    size_t next;          /* index of the next window of the plan */
    uint64_t window_ns;   /* how long a window is, what is left out before it apart */
    uint64_t settling_ns; /* how long the program is given to come to rest before each */
    bool is_slow;         /* visits are so rare that one is a window, and nothing is left out before it */
    bool is_long;         /* its windows are, to see what comes to rest slowly */
};

/* Before the first block, which is then empty. */
void blocks_begin(struct blocks *blocks, uint64_t now_ns, struct block *block);
void blocks_release(struct blocks *blocks);

/* The next block, in the place of the last one: draws the progress point that ends windows, and a target, and
 * plans. Without points or samples the plan stays empty. 0 or -ENOMEM. */
int block_begin(struct blocks *blocks, const struct settling *settling, uint64_t now_ns, struct block *block);

/* Nobody visited while the site was sped up to the full: that is not tried again. */
void blocks_note_stuck(struct blocks *blocks, uint32_t site);
