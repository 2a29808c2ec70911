/* Call sites as targets: a line, called from another line. Which there are only samples tell, so whoever
 * meets one first gives it a number, in a table that never forgets. Any process, handlers too. */
#pragma once

#include "shared/layout.h"

enum { CALLSITE_PROBES = 64 };

static inline uint32_t callsite_line(const struct segment *segment, uint32_t callsite)
{
    return (uint32_t)atomic_load_explicit(&segment->callsites[callsite], memory_order_relaxed);
}

/* 0: called from nothing that is in scope. */
static inline uint32_t callsite_caller(const struct segment *segment, uint32_t callsite)
{
    return (uint32_t)(atomic_load_explicit(&segment->callsites[callsite], memory_order_relaxed) >> 32);
}

/* The number of the line (a site, not 0) when it is called from the caller (a site, or 0). 0 when the table
 * is full. */
static inline uint32_t callsite_number(struct segment *segment, uint32_t line, uint32_t caller)
{
    uint64_t key = (uint64_t)caller << 32 | line, mixed = key * 0x9e3779b97f4a7c15u;
    for (uint32_t i = 0; i < CALLSITE_PROBES; i++) {
        uint32_t at = 1 + (uint32_t)((mixed >> 32) + i) % (SEGMENT_CALLSITES - 1);
        uint64_t there = atomic_load_explicit(&segment->callsites[at], memory_order_relaxed);
        if (there == key ||
            (there == 0 && atomic_compare_exchange_strong(&segment->callsites[at], &there, key)) ||
            there == key)
            return at;
    }
    atomic_fetch_add_explicit(&segment->refusals.callsites, 1, memory_order_relaxed);
    return 0;
}
