/* This process as one of the tree: whether it is profiled, and what it has done of what the segment counts
 * for all. */
#pragma once

#include "runtime/core/runtime.h"

/* Whether a program that has just been executed is to be profiled (--follow). */
bool process_is_followed(const struct segment *segment);

/* The process has joined, or was forked, and no thread of it has begun yet: it gets a number, and a place of
 * its own while there are any. What the program before it left behind, in the same process, is freed. Returns
 * the number. */
uint32_t process_join(struct segment *segment);

/* The same where only visits are counted, so that no thread of it will have a slot: it takes one, by which the
 * controller knows it. */
void process_join_to_count(struct segment *segment);

/* A forked copy that is not to be profiled: from here on what it does is in no segment. */
void process_detach(struct segment *segment);

extern HIDDEN struct segment_process *process_slot; /* NULL: not told apart from others */

/* Differs from that of any other process of the tree that lives. Any thread. */
uint64_t process_number(void);

/* A visit of a throughput point. Any thread. */
static inline void process_visited(size_t point)
{
    if (likely(process_slot))
        atomic_fetch_add_explicit(&process_slot->visits[point], 1, memory_order_relaxed);
}

/* A visit of a begin or end point, as the point itself counts it. Any thread. */
static inline void process_entered(size_t point)
{
    if (likely(process_slot))
        atomic_fetch_add_explicit(&process_slot->entered[point], 1, memory_order_acq_rel);
}

static inline void process_count_end(size_t point, uint64_t virtual_ns)
{
    if (unlikely(!process_slot))
        return;
    atomic_fetch_add_explicit(&process_slot->sums_ns[point], virtual_ns, memory_order_relaxed);
    atomic_fetch_add_explicit(&process_slot->visits[point], 1, memory_order_release);
}

/* A sample of that weight. Any thread, handlers too. */
static inline void process_sampled(uint64_t weight_ns)
{
    if (unlikely(!process_slot))
        return;
    atomic_fetch_add_explicit(&process_slot->samples, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&process_slot->samples_ns, weight_ns, memory_order_relaxed);
}
