/* Taking an edge: ending one window and beginning the next. Done by the visit of a progress point (runtime),
 * or by the controller when the program's points only bump counters. Lock free; safe in any thread, not in a
 * signal handler. */
#pragma once

#include "shared/layout.h"

/* Tries to take the edge that `word` wants. Only one caller wins; it gets the number of the new window, all
 * others 0. virtual_ns is real_ns minus the delay the caller has paid; required_ns the required delay at that
 * moment. */
static inline uint32_t edge_take(struct segment *segment, uint32_t word, uint64_t virtual_ns,
                                 uint64_t real_ns, uint64_t required_ns)
{
    uint32_t window = edge_window(word) + 1;
    if (!atomic_compare_exchange_strong(&segment->edge_word, &word, window << 1))
        return 0;
    atomic_store(&segment->target, atomic_load(&segment->next_target));
    atomic_store_explicit(&segment->window_required_ns, required_ns, memory_order_relaxed);
    struct segment_edge *edge = &segment->edges[window % SEGMENT_EDGES];
    atomic_store_explicit(&edge->virtual_ns, virtual_ns, memory_order_relaxed);
    atomic_store_explicit(&edge->real_ns, real_ns, memory_order_relaxed);
    atomic_store_explicit(&edge->required_ns, required_ns, memory_order_relaxed);
    atomic_store_explicit(&edge->window, window, memory_order_release);
    return window;
}

/* When that window began, by the wall clock; 0: that is not known any more. */
static inline uint64_t edge_real_ns(const struct segment *segment, uint32_t window)
{
    const struct segment_edge *edge = &segment->edges[window % SEGMENT_EDGES];
    return atomic_load_explicit(&edge->window, memory_order_acquire) == window
               ? atomic_load_explicit(&edge->real_ns, memory_order_relaxed)
               : 0;
}

/* Writes down a point's first visit in a window, if it is the first. */
static inline void edge_first_visit(struct segment_point *point, uint32_t window, uint64_t virtual_ns,
                                    uint64_t count)
{
    uint32_t before = atomic_load_explicit(&point->claimed_window, memory_order_relaxed);
    if (before >= window || !atomic_compare_exchange_strong(&point->claimed_window, &before, window))
        return;
    struct segment_visit *visit = &point->visits[window % SEGMENT_EDGES];
    atomic_store_explicit(&visit->virtual_ns, virtual_ns, memory_order_relaxed);
    atomic_store_explicit(&visit->count, count, memory_order_relaxed);
    atomic_store_explicit(&visit->window, window, memory_order_release);
}
