/* The handler of samples: what a moment of a thread's CPU time was spent on, and what it owes. */
#pragma once

#include <stdbool.h>

/* Once a process, before any thread: installs the handler. 0 or a negative errno. */
int sample_install(void);

/* When the user's queue of real-time signals is full, the kernel sends SIGIO instead, which ends a program
 * that has not heard of it: it is taken for a sample. To be called when the program may have given SIGIO up.
 * One that a process sends does what it would do without us. */
void sample_guard_io(void);

bool sample_is_handler(const void *handler);
