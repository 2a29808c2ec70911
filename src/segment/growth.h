/* How the required delay grew lately: what it was at a moment that has passed. Written by whoever makes it
 * grow, searched by threads that come back from the run queue. Lock free; any thread, handlers too. */
#pragma once

#include "segment/segment.h"

/* Its last value in the stretch of GROWTH_STEP_NS that `now_ns` lies in. */
static inline void growth_note(struct segment *segment, uint64_t now_ns, uint64_t required_ns)
{
    struct segment_growth *slot = &segment->growth[now_ns / GROWTH_STEP_NS % SEGMENT_GROWTH];
    atomic_store_explicit(&slot->required_ns, required_ns, memory_order_relaxed);
    atomic_store_explicit(&slot->step, now_ns / GROWTH_STEP_NS, memory_order_release);
}

/* The required delay at that moment, to the step; UINT64_MAX when nothing is known of the steps before. */
static inline uint64_t growth_at(const struct segment *segment, uint64_t when_ns)
{
    uint64_t step = when_ns / GROWTH_STEP_NS;
    for (uint64_t back = 0; back < SEGMENT_GROWTH && back <= step; back++) {
        const struct segment_growth *slot = &segment->growth[(step - back) % SEGMENT_GROWTH];
        if (atomic_load_explicit(&slot->step, memory_order_acquire) == step - back)
            return atomic_load_explicit(&slot->required_ns, memory_order_relaxed);
    }
    return UINT64_MAX;
}
