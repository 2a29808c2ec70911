/* libcoz.so: what the profiled program carries. It samples its own threads, counts progress, and pays delays;
 * all else is the controller's. It starts no thread, allocates nothing on a hot path, prints at most one
 * line, and never ends the program: if something is wrong it switches itself off, and the program runs on as
 * if it were not there.
 *
 * Two values say what is alive. `runtime_segment` is the process's: NULL while the runtime is off (not
 * started, refused, or stopped), the segment while it is on. `thread_current.on` is the thread's (thread.h):
 * false until the thread has its account and sampler, false again when it ends. Every entry (hook, visit,
 * handler) asks the thread's only, because a thread is on only while the process is. */
#pragma once

#include "shared/layout.h"

#include <sys/types.h>

#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

/* Declared so, a variable is reached without a detour through the table of what other libraries define. */
#define HIDDEN __attribute__((visibility("hidden")))

extern HIDDEN struct segment *runtime_segment;

/* What is sped up now. Any thread, while the runtime is on. */
static inline segment_target runtime_target(void)
{
    return atomic_load_explicit(&runtime_segment->target, memory_order_relaxed);
}

/* The segment's; while the runtime is off, nothing is ever due. */
extern HIDDEN const struct segment_due *runtime_due;

/* Nothing is due in this process any more. */
void runtime_owe_nothing(void);

/* Whether the controller is at work: without it nobody ends a window, so that nobody may be delayed either.
 */
bool runtime_is_steered(uint64_t now_ns);

/* Whether threads pay what they owe. Not without a controller; nor once the program was asked to end, for who has slept
 * since it began owes all of the run, and would pay it before it looks at the signal. Any thread, handlers too. */
static inline bool runtime_collects(void)
{
    return atomic_load_explicit(&runtime_segment->active, memory_order_relaxed) &&
           !atomic_load_explicit(&runtime_segment->is_ending, memory_order_relaxed);
}

/* Whether it has gone for good. Then threads are not begun any more, and those that there are stop at their
 * next sample. Any thread, handlers too. */
bool runtime_is_deserted(uint64_t now_ns);

/* There is something for the controller to do at once: an edge was taken, somebody waits or asks. One system call; any
 * thread, handlers too. */
void runtime_wake_controller(void);
