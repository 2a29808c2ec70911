/* Which cores threads of the tree were on lately: so a thread that was off its core learns whether another
 * one of the tree was on it, or a stranger. Lock free; any thread, handlers too. */
#pragma once

#include "segment/segment.h"

/* The calling thread is on that core at that moment. */
static inline void core_note(struct segment *segment, unsigned core, uint64_t now_ns)
{
    atomic_store_explicit(&segment->cores[core % SEGMENT_CORES].seen_ns, now_ns, memory_order_relaxed);
}

/* Whether one was seen on it since then. A thread that has a core for longer than a period is sampled there,
 * and one that was woken for less comes through a hook. */
static inline bool core_was_ours(const struct segment *segment, unsigned core, uint64_t since_ns)
{
    return atomic_load_explicit(&segment->cores[core % SEGMENT_CORES].seen_ns, memory_order_relaxed) >
           since_ns;
}
