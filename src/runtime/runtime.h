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

#include "segment/segment.h"

#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

extern struct segment *runtime_segment;

/* Leaves one message in the segment for the controller to print, and on standard error if there is no
 * segment. Only the first is kept. Not for handlers. */
void runtime_say(const char *what);

/* Tells the controller that an edge was taken (one futex wake). */
void runtime_edge_taken(void);

/* In a forked child: joins the segment as a process of its own. */
void runtime_after_fork(void);
