/* Progress points, announced by the program or not. Part of layout.h. */
#pragma once

#include "shared/layout/limits.h"
#include "shared/layout/targets.h"

#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* ---- progress points ---- */

enum segment_point_type { POINT_NONE, POINT_THROUGHPUT, POINT_BEGIN, POINT_END };
enum segment_slot_state { SLOT_FREE, SLOT_READY };

struct segment_point {
    /* These two are the counter of the original's ABI. */
    alignas(64) _Atomic uint64_t count;
    uint64_t backoff;
    _Atomic uint32_t seen_word; /* the edge word that the last visit saw: the visit's fast path */
    _Atomic uint32_t claimed_window;
    /* Of begin and end points: the sum of the virtual times of their visits (mod 2^64), and the visits that
     * have begun to add to it. When those equal `count`, the sum is whole. (The sum of a sampled point is its
     * CPU time.) */
    _Atomic uint64_t entered;
    _Atomic uint64_t sum_ns;
    alignas(64) _Atomic uint32_t state; /* enum segment_slot_state */
    uint32_t type;
    _Atomic uint32_t precise; /* 1 once _coz_visit() was called: its visits take edges themselves */
    uint32_t is_breakpoint;   /* 1: the processor counts it (breakpoints.h), and `count` lags behind */
    /* A hash of type and name, 0: free. Who finds his own there writes both, whoever took the slot: so nobody
     * waits for a process that was killed while it did. */
    _Atomic uint64_t key;
    /* Of begin and end points whose units have ids: the pair's number; 0: not known. */
    _Atomic uint32_t latency;
    char name[SEGMENT_POINT_NAME];
    struct segment_visit visits[SEGMENT_EDGES]; /* of window n at n % SEGMENT_EDGES */
};

static inline bool segment_point_is_ready(const struct segment_point *point)
{
    return atomic_load(&point->state) == SLOT_READY;
}

/* POINT_NONE until it is ready. */
static inline uint32_t segment_point_type(const struct segment_point *point)
{
    return segment_point_is_ready(point) ? point->type : (uint32_t)POINT_NONE;
}

/* Slots are taken in order. A taken one need not be ready, now or ever. */
static inline bool segment_point_is_taken(const struct segment_point *point)
{
    return atomic_load(&point->key) || segment_point_is_ready(point);
}

/* ---- progress points that the program does not announce itself ---- */

/* [start, end) of a file's code. */
struct segment_piece {
    uint32_t start, end;
};

/* Pieces in the tables. */
struct segment_code {
    uint32_t module; /* index of modules */
    uint32_t count;  /* 0: any code */
    uint64_t offset; /* from the segment's start, to struct segment_piece[count] */
};

/* Who makes that call in that code visits the point. Written by the controller. */
struct segment_call_point {
    uint32_t call;  /* enum segment_call */
    uint32_t point; /* index of points */
    struct segment_code caller;
};

/* CPU time in that code, as samples tell, visits the point once a period. Written by the controller. */
struct segment_sampled_point {
    uint32_t point; /* index of points */
    uint32_t reserved;
    struct segment_code code;
};

/* How often each call was made, while that is tried, by every SEGMENT_CALL_COUNTERS-th thread: those that hand work
 * to and fro would take one counter from each other at every call. */
struct segment_call_counter {
    alignas(64) _Atomic uint64_t counts[SEGMENT_CALL_COUNT];
};
