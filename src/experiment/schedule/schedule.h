/* The schedule of experiments: when a window ends, what the next one is, and what to do when nobody comes to
 * end it. */
#pragma once

#include "experiment/breakpoints/families.h"
#include "experiment/latency/unit_times.h"
#include "experiment/schedule/block.h"
#include "experiment/schedule/disturbed.h"
#include "experiment/schedule/heartbeat.h"
#include "experiment/schedule/processes.h"
#include "experiment/schedule/stolen.h"
#include "experiment/schedule/windows.h"

/* Given by the session, before the first window: what blocks are made of, and where windows go. */
struct schedule_inputs {
    struct block_inputs blocks;
    const struct heartbeat *heartbeat;
    struct families *families; /* who counts by breakpoints; NULL: nobody */
    window_sink sink;
    void *context; /* the sink's */
};

/* The current block: what is tried at the moment, and what is waited for. */
struct schedule_current {
    struct block block;            /* its plan, */
    size_t next;                   /* and how many windows of it were begun */
    struct window running, closed; /* the one before it waits to be written */
    struct window opening;         /* begins at the edge that is wanted */
    bool wanted, wants_middle;     /* an edge; it parts the running window's halves */
    uint64_t deadline_ns;          /* when the next edge is to be wanted; */
    uint64_t wanted_ns;            /* since when it is */
    struct points_seen seen;       /* the visits until then */
    uint64_t watched_count;        /* of the driver, when the edge became wanted */
    uint64_t passed_ns;            /* since when it is known that visits did not take it; 0: they do */
    uint64_t missed_ns;            /* of the heartbeat, when the running window began */
};

/* What came of all windows so far: what is told outside, and what the next ones are chosen and judged by. */
struct schedule_results {
    uint64_t windows, discarded, stolen_from; /* of the discarded, those in which the machine was not ours */
    uint64_t sped_up_ns;                      /* real time of windows with a speedup */
    struct disturbed disturbed;               /* windows without, in which it was not ours either */
    struct blocks blocks;
    struct stolen stolen;
    struct point_pairs pairs;
    struct processes processes;
    struct unit_times unit_times;
};

/* Begins as zeroes, but for what results.blocks says of itself. */
struct schedule {
    const struct schedule_inputs *given;
    uint64_t began_ns;
    struct schedule_current current;
    struct schedule_results results;
};

/* The inputs must outlive it. */
void schedule_begin(struct schedule *schedule, const struct schedule_inputs *given, uint64_t now_ns);

/* Does whatever is due. Returns 0 or what the sink returned; *look_ns is when to look again at the latest. */
int schedule_step(struct schedule *schedule, uint64_t now_ns, uint64_t *look_ns);

/* Whether nothing is due for the next 20 ms: then is the time for what takes some milliseconds. */
bool schedule_is_at_leisure(const struct schedule *schedule, uint64_t now_ns);

/* The program has ended: writes what is finished. */
int schedule_end(struct schedule *schedule);
void schedule_release(struct schedule *schedule);
