/* The schedule of experiments: when a window ends, what the next one is, and what to do when nobody comes to
 * end it. */
#pragma once

#include "experiment/schedule/block.h"
#include "experiment/schedule/disturbed.h"
#include "experiment/schedule/heartbeat.h"
#include "experiment/schedule/processes.h"
#include "experiment/schedule/settling.h"
#include "experiment/schedule/windows.h"

struct schedule {
    /* Given by the session: where blocks come from, and where windows go. */
    struct blocks blocks;
    const struct heartbeat *heartbeat;
    window_sink sink;
    void *context;

    /* What is told outside. */
    uint64_t windows, discarded, stolen_from; /* of the discarded, those in which the machine was not ours */
    uint64_t sped_up_ns;                      /* real time of windows with a speedup */
    struct disturbed disturbed;               /* windows without, in which it was not ours either */

    /* Its own. */
    struct block block; /* the current one */
    struct point_pairs pairs;
    struct processes processes;
    uint64_t deadline_ns, wanted_ns;
    bool wanted, wants_middle; /* an edge; it parts the current window's halves */
    struct settling settling;
    struct stolen stolen;
    uint64_t missed_ns; /* of the heartbeat, when the current window began */
    uint64_t watched_count;
    struct window current, closed; /* the running window; the one before it, waiting to be written */
    struct window next;
};

void schedule_begin(struct schedule *schedule, uint64_t now_ns);

/* Does whatever is due. Returns 0 or what the sink returned; *look_ns is when to look again at the latest. */
int schedule_step(struct schedule *schedule, uint64_t now_ns, uint64_t *look_ns);

/* The program has ended: writes what is finished. */
int schedule_end(struct schedule *schedule);
void schedule_release(struct schedule *schedule);
