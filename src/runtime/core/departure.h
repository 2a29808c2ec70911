/* Leaving the process alone. A program that restricts its own system calls may be ended for one of ours: from
 * then on none is made for any of its threads. */
#pragma once

#include "runtime/core/runtime.h"

#include <stdbool.h>

/* Says whether the process has been left; then a thread notices at its next settlement, or sample. */
extern HIDDEN atomic_bool departure_left;

/* Around whatever may make a system call for a thread that is not leaving itself; false, and nothing to end,
 * when the process has been left. Any thread, handlers too. */
bool departure_begin_work(void);
void departure_end_work(void);
void departure_after_fork(void); /* in the child: the parent's other threads are not there */

/* No thread makes a system call of ours from the return on. Not for handlers. */
void departure_leave(void);
