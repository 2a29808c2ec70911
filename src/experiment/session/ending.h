/* The end of the profiled program: waiting for it, and asking for it. A program that makes itself a daemon
 * ends, and its work begins: it is profiled until that ends, or until we are interrupted, which the daemon
 * does not notice. */
#pragma once

#include "shared/create.h"

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct ending {
    const struct segment_owner *owner;
    pid_t pid;                               /* of the program, 0 when it has ended */
    bool is_alone;                           /* its children are not ours to wait for */
    const volatile sig_atomic_t *interrupts; /* how often we were interrupted; may be NULL */
    uint64_t limit_ns;                       /* when to ask it to end; 0: never */
    uint64_t asked_ns;                       /* when that was decided; 0: not yet */
    int signals;                             /* how often it was told to: first to end, then killed */
    uint64_t ended_ns;                       /* when it ended, whose tree may go on; 0: not yet */
    pid_t daemon;                            /* the process that goes on, 0: none */
};

/* The program is to end; the next ending_press() tells it. */
void ending_ask(struct ending *ending, uint64_t now);

/* Tells the program's tree to end once it was asked to or its time is over, and kills what does not. */
void ending_press(struct ending *ending, uint64_t now);

/* Nothing is left to be profiled. *wait_status is set once the program itself has ended. */
bool ending_is_over(struct ending *ending, uint64_t now, int *wait_status);
