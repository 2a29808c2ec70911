#include "runtime/calls/call_point.h"

#include "runtime/calls/progress.h"
#include "runtime/sampling/modules.h"

/* The return address may be the next line's. */
static bool is_called_in(const struct segment_code *code, uintptr_t at)
{
    return code->count == 0 || modules_is_in(code, at - 1);
}

/* Who has no slot shares the first counter. */
static void count_tried(struct segment *segment, enum segment_call call)
{
    const struct segment_thread *slot = thread_current.slot;
    size_t number = slot ? (size_t)(slot - segment->thread_slots) % SEGMENT_CALL_COUNTERS : 0;
    atomic_fetch_add_explicit(&segment->call_counters[number].counts[call], 1, memory_order_relaxed);
}

void call_point_visit(enum segment_call call, uintptr_t at)
{
    struct segment *segment = runtime_segment;
    if (!segment)
        return;
    if (atomic_load_explicit(&segment->calls_are_tried, memory_order_relaxed))
        count_tried(segment, call);
    uint32_t count = atomic_load_explicit(&segment->call_point_count, memory_order_acquire);
    for (uint32_t i = 0; i < count && i < SEGMENT_CALL_POINTS; i++) {
        const struct segment_call_point *wanted = &segment->call_points[i];
        if (wanted->call == (uint32_t)call && is_called_in(&wanted->caller, at))
            progress_visit(&segment->points[wanted->point % SEGMENT_POINTS]);
    }
}
