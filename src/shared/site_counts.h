/* What is counted of a site, or of what else has a number among them. Lock free; any thread, handlers too. */
#pragma once

#include "shared/layout.h"

/* Once more, for so much time. */
static inline void site_counts_add(struct segment *segment, uint32_t number, uint64_t ns)
{
    struct segment_site *site = &segment->sites[number];
    segment_target target = atomic_load_explicit(&segment->target, memory_order_relaxed);
    atomic_fetch_add_explicit(&site->count, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&site->cpu_ns, ns, memory_order_relaxed);
    if (segment_target_permille(target) == 0)
        atomic_fetch_add_explicit(&site->baseline_ns, ns, memory_order_relaxed);
}
