/* Progress points that the processor counts (shared/breakpoints.h): the program's side. A program that was
 * executed opens its events while it has one thread, so that they hold for all that come later, and for the
 * processes that it forks. */
#pragma once

#include "runtime/core/runtime.h"

#include <signal.h>
#include <ucontext.h>

/* Opens this program's events, and waits a little until the controller has them, too. Once a process, when its
 * segment is there; nothing where there are no such points in its files. */
void breakpoints_begin(struct segment *segment);

/* The process installs or has installed no handler of its own for the signal of alarms: ours it is. */
void breakpoints_guard(int number);
bool breakpoints_is_handler(const void *handler);

/* Whether this program has such points. */
bool breakpoints_are_met(void);

/* The calling thread begins: what alarms come by is opened. */
void breakpoints_open_signal(void);

/* Whether alarms may come in this process, by SIGTRAP: it must not be blocked. */
bool breakpoints_has_alarms(void);

/* What came was an alarm, and is dealt with. In a handler. */
bool breakpoints_take(const siginfo_t *info);

/* The thread stands in a trap of a breakpoint: the processor has stopped it there, and it has not gone on. In a
 * handler. */
bool breakpoints_is_in_trap(const ucontext_t *context);

/* An alarm: the point's visit, its `count`-th, ends a window if one is to end. False: it could not, for the
 * thread is not profiled, or in the middle of our own work. For the calling thread, in a handler; it is
 * calls/progress.c that knows what a visit is. */
bool progress_alarm(struct segment_point *point, uint64_t count);
