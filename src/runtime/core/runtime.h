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

/* The segment's; while the runtime is off, nothing is ever due. */
extern HIDDEN const struct segment_due *runtime_due;

/* Leaves one message in the segment for the controller to print, and on standard error if there is no
 * segment. Only the first is kept. Not for handlers. */
void runtime_say(const char *what);

/* Whether the controller is at work: without it nobody ends a window, so that nobody may be delayed either.
 */
bool runtime_is_steered(uint64_t now_ns);

/* Whether it has gone for good. Then threads are not begun any more, and those that there are stop at their
 * next sample. Any thread, handlers too. */
bool runtime_is_deserted(uint64_t now_ns);

/* Tells the controller that an edge was taken (one futex wake). */
void runtime_edge_taken(void);

/* The calling thread is not profiled any more, which is said. Not for handlers. */
void runtime_leave_thread(void);

/* No thread of the process is, and none makes a system call of ours from the return on. Not for handlers. */
void runtime_leave_process(void);

/* Says whether the process has been left; then a thread notices at its next settlement, or sample. */
extern HIDDEN atomic_bool runtime_left;

/* Around whatever may make a system call for a thread that is not leaving itself; false, and nothing to end,
 * when the process has been left. Any thread, handlers too. */
bool runtime_begin_work(void);
void runtime_end_work(void);
void runtime_work_after_fork(void); /* in the child: the parent's other threads are not there */

/* Before a fork, and after it, in both: the child joins the segment as a process of its own. When the parent
 * ends meanwhile, the controller knows that there is one to come. */
void runtime_before_fork(void);
void runtime_after_fork(pid_t pid);
