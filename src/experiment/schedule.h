/* The schedule of experiments: when a window ends, what the next one is, and what to do when nobody comes to
 * end it. */
#pragma once

#include "experiment/disturbed.h"
#include "experiment/plan.h"
#include "experiment/processes.h"
#include "experiment/settling.h"
#include "experiment/target_names.h"
#include "experiment/targets.h"
#include "experiment/windows.h"

struct schedule {
    /* Given by the session. */
    struct segment *segment;
    const struct segment_owner *owner; /* of it */
    const struct target_names *names;
    const int *speedups;
    size_t speedup_count;
    uint64_t seed;
    window_sink sink;
    void *context;

    /* What is told outside. */
    uint64_t windows, discarded, stolen_from; /* of the discarded, those in which the machine was not ours */
    uint64_t sped_up_ns;                      /* real time of windows with a speedup */
    struct disturbed disturbed;               /* windows without, in which it was not ours either */
    uint32_t targets_tried;

    /* Its own. */
    struct targets targets;
    struct point_pairs pairs;
    struct processes processes;
    struct plan plan;
    size_t plan_next; /* index of the next window of the plan */
    uint64_t block;
    uint32_t site;
    struct driver driver;
    uint64_t began_ns, window_ns, deadline_ns, wanted_ns;
    bool wanted, wants_middle; /* an edge; it parts the current window's halves */
    bool slow;    /* visits are so rare that one is a window, and nothing is left out before it */
    bool is_long; /* the block's windows are, to see what comes to rest slowly */
    struct settling settling;
    struct stolen stolen;
    uint64_t look_ns,
        stood_still_ns; /* when it was to look next; in the current window, by looks that came late */
    uint64_t watched_count;
    struct window current, closed; /* the running window; the one before it, waiting to be written */
    struct window next;
    unsigned char *tried; /* per site: TRIED, and STUCK when nobody visits while it is sped up to the full */
    uint32_t tried_capacity;
};

void schedule_begin(struct schedule *schedule, uint64_t now_ns);

/* Does whatever is due. Returns 0 or what the sink returned; *look_ns is when to look again at the latest. */
int schedule_step(struct schedule *schedule, uint64_t now_ns, uint64_t *look_ns);

/* The program has ended: writes what is finished. */
int schedule_end(struct schedule *schedule);
void schedule_release(struct schedule *schedule);
