/* Latencies of single units, that have an id. Part of the segment (layout.h). */
#pragma once

#include "base/log_buckets.h"

#include <stdalign.h>
#include <stdatomic.h>
#include <stdint.h>

enum {
    SEGMENT_LATENCIES = 32,         /* pairs of a begin and an end point whose units have ids */
    SEGMENT_OPEN_BUCKETS = 1 << 13, /* of units in progress, */
    SEGMENT_OPEN = 8,               /* so many in each */
};

/* A pair of points: how long its units took, in virtual time. Totals of the run. */
struct segment_latency {
    alignas(64) _Atomic uint64_t key; /* a hash of the name, 0: free */
    _Atomic uint64_t unmatched;       /* units that ended, and had not begun, or nobody knew of it */
    _Atomic uint64_t refused; /* that began when there was no room, or while another had the same id */
    alignas(64) _Atomic uint32_t counts[LOG_BUCKETS]; /* of ns; mod 2^32 */
};

/* Units in progress (open_units.h). */
struct segment_open {
    alignas(64) _Atomic uint64_t keys[SEGMENT_OPEN]; /* 0: free */
    _Atomic uint64_t since_ns[SEGMENT_OPEN];         /* virtual; 0: its beginning is being written down */
};
