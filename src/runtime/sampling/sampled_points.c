#include "runtime/sampling/sampled_points.h"

#include "runtime/core/process.h"
#include "runtime/sampling/modules.h"

/* Samples stand for more or less than a period each; their sum is what counts. */
static void add_time(struct segment *segment, struct segment_point *point, uint64_t weight_ns)
{
    uint64_t before = atomic_fetch_add_explicit(&point->sum_ns, weight_ns, memory_order_relaxed);
    uint64_t visits = (before + weight_ns) / segment->period_ns - before / segment->period_ns;
    atomic_fetch_add_explicit(&point->count, visits, memory_order_relaxed);
    for (; visits > 0; visits--)
        process_visited((size_t)(point - segment->points));
}

void sampled_points_count(uintptr_t pc, uint64_t weight_ns)
{
    struct segment *segment = runtime_segment;
    uint32_t count = atomic_load_explicit(&segment->sampled_point_count, memory_order_acquire);
    for (uint32_t i = 0; i < count && i < SEGMENT_SAMPLED_POINTS; i++) {
        const struct segment_sampled_point *wanted = &segment->sampled_points[i];
        if (modules_is_in(&wanted->code, pc))
            add_time(segment, &segment->points[wanted->point % SEGMENT_POINTS], weight_ns);
    }
}
