/* Progress points whose visits are known from samples only (`coz run -p FILE:LINE@sampled`). */
#pragma once

#include "runtime/core/runtime.h"

#include <stdint.h>

void sampled_points_count(uintptr_t pc, uint64_t weight_ns);

/* A sample of that weight was taken there. In handlers. */
static inline void sampled_points_visit(uintptr_t pc, uint64_t weight_ns)
{
    if (unlikely(atomic_load_explicit(&runtime_segment->sampled_point_count, memory_order_relaxed) > 0))
        sampled_points_count(pc, weight_ns);
}
