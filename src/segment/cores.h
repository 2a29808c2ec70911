/* Which cores threads of the tree were on lately: so a thread that was off its core learns whether another
 * one of the tree was on it, or a stranger. Lock free; any thread, handlers too. */
#pragma once

#include "segment/segment.h"

/* The calling thread is on that core at that moment. Who loses the core between looking at the clock and
 * noting it must not write over what others noted meanwhile. */
static inline void core_note(struct segment *segment, unsigned core, uint64_t now_ns)
{
    _Atomic uint64_t *seen_ns = &segment->cores[core % SEGMENT_CORES].seen_ns;
    uint64_t last = atomic_load_explicit(seen_ns, memory_order_relaxed);
    while (last < now_ns && !atomic_compare_exchange_weak_explicit(
                                seen_ns, &last, now_ns, memory_order_relaxed, memory_order_relaxed))
        ;
}

/* Whether one was seen on it since then. A thread that has a core for longer than a period is sampled there,
 * and one that was woken for less comes through a hook. */
static inline bool core_was_ours(const struct segment *segment, unsigned core, uint64_t since_ns)
{
    return atomic_load_explicit(&segment->cores[core % SEGMENT_CORES].seen_ns, memory_order_relaxed) >
           since_ns;
}
