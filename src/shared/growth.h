/* How the required delay grew lately: what it was at a moment that has passed. Written by whoever makes it
 * grow, searched by threads that come back from the run queue. Lock free; any thread, handlers too. */
#pragma once

#include "shared/layout.h"

/* Its last value in the stretch of GROWTH_STEP_NS that `now_ns` lies in. */
static inline void growth_note(struct segment *segment, uint64_t now_ns, uint64_t required_ns)
{
    struct segment_growth *slot = &segment->growth[now_ns / GROWTH_STEP_NS % SEGMENT_GROWTH];
    atomic_store_explicit(&slot->required_ns, required_ns, memory_order_relaxed);
    atomic_store_explicit(&slot->step, now_ns / GROWTH_STEP_NS, memory_order_release);
}

/* False: it did not grow in that step. */
static inline bool growth_in_step(const struct segment *segment, uint64_t step, uint64_t *required_ns)
{
    const struct segment_growth *slot = &segment->growth[step % SEGMENT_GROWTH];
    if (atomic_load_explicit(&slot->step, memory_order_acquire) != step)
        return false;
    *required_ns = atomic_load_explicit(&slot->required_ns, memory_order_relaxed);
    return true;
}

/* The required delay at that moment, to the step; UINT64_MAX when nothing is known of the steps before. */
static inline uint64_t growth_at(const struct segment *segment, uint64_t when_ns)
{
    uint64_t step = when_ns / GROWTH_STEP_NS, required_ns;
    for (uint64_t back = 0; back < SEGMENT_GROWTH && back <= step; back++)
        if (growth_in_step(segment, step - back, &required_ns))
            return required_ns;
    return UINT64_MAX;
}

/* Delay that became due evenly, and was noticed only afterwards. */
struct growth_climb {
    uint64_t since_ns, took_ns; /* when it began (CLOCK_MONOTONIC), and how long it went on */
    uint64_t from_ns, to_ns;    /* the required delay that it stands for then, and at its end */
};

static inline uint64_t growth_climb_at(const struct growth_climb *climb, uint64_t when_ns)
{
    uint64_t passed = when_ns > climb->since_ns ? when_ns - climb->since_ns : 0;
    if (passed >= climb->took_ns)
        return climb->to_ns;
    return climb->from_ns +
           (uint64_t)((double)(climb->to_ns - climb->from_ns) * (double)passed / (double)climb->took_ns);
}

/* Raises the steps since it began to what they would have been, had it been noticed at once: who was in the
 * run queue while it climbed is to be credited with it, and not who got its core afterwards. */
static inline void growth_note_climb(struct segment *segment, const struct growth_climb *climb,
                                     uint64_t now_ns)
{
    enum { FARTHEST = SEGMENT_GROWTH / 2 };
    uint64_t last = now_ns / GROWTH_STEP_NS, step = climb->since_ns / GROWTH_STEP_NS;
    if (last - step > FARTHEST)
        step = last - FARTHEST;
    uint64_t known = growth_at(segment, step * GROWTH_STEP_NS - 1);
    if (known == UINT64_MAX)
        known = 0;
    for (; step <= last; step++) {
        uint64_t end_ns = (step + 1) * GROWTH_STEP_NS;
        uint64_t height = growth_climb_at(climb, end_ns < now_ns ? end_ns : now_ns), there;
        if (growth_in_step(segment, step, &there) && there > known)
            known = there;
        if (height > known) {
            growth_note(segment, step * GROWTH_STEP_NS, height);
            known = height;
        }
    }
}
