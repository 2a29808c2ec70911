/* A departure: the runtime stops working in this process for good, while the program runs on. It is for
 * programs that restrict their own system calls, and may be ended for one of ours: after a departure none is
 * made for any of their threads. */
#pragma once

#include "runtime/core/runtime.h"

#include <stdbool.h>

/* Whether the runtime has departed. Threads notice at their next settlement, or sample. */
extern HIDDEN atomic_bool departure_left;

/* Around all work that may make a system call. False when the runtime has departed: then the work is not done,
 * and departure_end_work() not called. Any thread, handlers too. */
bool departure_begin_work(void);
void departure_end_work(void);
void departure_after_fork(void); /* in the child: the parent's other threads are not there */

/* Departs: waits for threads that are at work, a second at most. From the return on, no thread makes a system
 * call of ours. Not for handlers. */
void departure_leave(void);
