/* The handler of samples: what a moment of a thread's CPU time was spent on, and what it owes. */
#pragma once

#include <stdbool.h>

/* Once a process, before any thread: installs the handler. 0 or a negative errno. */
int sample_install(void);

/* Where the program leaves a signal to its default action, which is to end it, and samples may still come by it:
 * one that samples came by before, and SIGIO, which the kernel sends instead when the user's queue of real-time
 * signals is full. To be called when the program has changed the action. One that a process sends does what it
 * would do without us. */
void sample_guard(int number);

bool sample_is_handler(const void *handler);
