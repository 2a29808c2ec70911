/* Which cores threads of the tree were on lately: so a thread that was off its core learns whether another
 * one of the tree was on it, or a stranger. Lock free; any thread, handlers too. */
#pragma once

#include "shared/layout.h"

static inline void core_note_switch(struct segment_core *core, uint64_t now_ns, uint32_t tid)
{
    uint32_t slot = atomic_fetch_add_explicit(&core->next, 1, memory_order_relaxed) % SEGMENT_SWITCHES;
    atomic_store_explicit(&core->seen_tid, tid, memory_order_relaxed);
    atomic_store_explicit(&core->switches[slot].at_ns, 0, memory_order_relaxed);
    atomic_store_explicit(&core->switches[slot].tid, tid, memory_order_release);
    atomic_store_explicit(&core->switches[slot].at_ns, now_ns, memory_order_release);
}

/* The calling thread is on that core at that moment. Who loses the core between looking at the clock and
 * noting it must not write over what others noted meanwhile. */
static inline void core_note(struct segment *segment, unsigned number, uint64_t now_ns, uint32_t tid)
{
    struct segment_core *core = &segment->cores[number % SEGMENT_CORES];
    uint64_t last = atomic_load_explicit(&core->seen_ns, memory_order_relaxed);
    while (last < now_ns && !atomic_compare_exchange_weak_explicit(
                                &core->seen_ns, &last, now_ns, memory_order_relaxed, memory_order_relaxed))
        ;
    if (atomic_load_explicit(&core->seen_tid, memory_order_relaxed) != tid)
        core_note_switch(core, now_ns, tid);
}

/* When another thread was first seen on the core after that moment; 0: none was, or it is long ago. */
static inline uint64_t core_lost_at(const struct segment *segment, unsigned number, uint32_t tid,
                                    uint64_t since_ns)
{
    const struct segment_core *core = &segment->cores[number % SEGMENT_CORES];
    uint64_t first_ns = 0;
    for (int i = 0; i < SEGMENT_SWITCHES; i++) {
        uint64_t at_ns = atomic_load_explicit(&core->switches[i].at_ns, memory_order_acquire);
        if (at_ns > since_ns && (!first_ns || at_ns < first_ns) &&
            atomic_load_explicit(&core->switches[i].tid, memory_order_relaxed) != tid)
            first_ns = at_ns;
    }
    return first_ns;
}

/* Whether one was seen on it since then. A thread that has a core for longer than a period is sampled there,
 * and one that was woken for less comes through a hook. */
static inline bool core_was_ours(const struct segment *segment, unsigned core, uint64_t since_ns)
{
    return atomic_load_explicit(&segment->cores[core % SEGMENT_CORES].seen_ns, memory_order_relaxed) >
           since_ns;
}
