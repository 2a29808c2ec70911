/* The processes of the tree, told apart: whose visits a window's were, and what each did in the whole run. */
#pragma once

#include "experiment/schedule/windows.h"

struct process_visits {
    uint32_t process, point; /* indices of the segment's */
    uint64_t count;
};

/* A pair of begin and end points that a process visited. */
struct process_latency {
    uint32_t process, pair; /* indices, the latter of point_pairs */
    struct point_reading in, out;
    uint64_t at_ns;               /* of these readings, virtual */
    struct profile_record record; /* of the last window; no arrivals: none */
};

struct processes {
    struct process_latency *latencies;
    size_t latency_count, latency_capacity;
    size_t next_latency;               /* where the next one is likely to be: looks are alike */
    uint64_t *seen[SEGMENT_PROCESSES]; /* visits of each point as of the last look; NULL: never looked */
    struct process_visits *visits;     /* between the last two looks; those of none are left out */
    size_t count, capacity;
};

/* Call when a window ends: what was visited since the last call is its. 0 or -ENOMEM. */
int processes_look(struct processes *processes, const struct segment *segment,
                   const struct point_pairs *pairs);

/* Hands the records of that window to the sink, after its points; none while the tree has one process. */
int processes_emit_visits(const struct processes *processes, const struct segment *segment, window_sink sink,
                          void *context);

/* A record for each process that there ever was. */
int processes_emit_all(const struct segment *segment, window_sink sink, void *context);

void processes_release(struct processes *processes);
