/* The end of the profiled program: waiting for it, and asking for it. A program that makes itself a daemon
 * ends, and its work begins: it is profiled until that ends, or until we are interrupted, which the daemon
 * does not notice. For the controller's own thread: nobody else waits for the program, so that its number is
 * its own as long as `pid` says so. */
#pragma once

#include "experiment/session/tree.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct ending {
    struct tree tree;
    pid_t pid;                               /* of the program, 0 when it has ended */
    bool is_alone;                           /* its children are not ours to wait for */
    const volatile sig_atomic_t *interrupts; /* how often we were interrupted; may be NULL */
    _Atomic uint32_t *passed_on; /* a bit for each signal to pass on to the program; may be NULL */
    uint64_t limit_ns;           /* when to ask it to end; 0: never */
    _Atomic uint64_t asked_ns;   /* when that was decided; 0: not yet */
    int signals;                 /* how often it was told to: first to end, then killed */
    uint64_t ended_ns;           /* when it ended, whose tree may go on; 0: not yet */
    uint64_t over_ns;            /* when it, or what was left of its tree, was last known to run */
    uint64_t looked_ns;          /* when that tree was looked at */
    pid_t daemon;                /* the process that goes on, 0: none */
    int daemon_fd;               /* a pidfd of it; -1 where there is none */
};

/* The program is to end; the next ending_press() tells it. Any thread. */
void ending_ask(struct ending *ending, uint64_t now);

/* Whether its time is over, or it is to end for another reason. */
bool ending_is_asked(struct ending *ending, uint64_t now);

/* Tells the program's tree to end once that was asked for, and kills what does not; and passes on the signals that were
 * sent to us alone. */
void ending_press(struct ending *ending, uint64_t now);

/* Nothing is left to be profiled. *wait_status is set once the program itself has ended. */
bool ending_is_over(struct ending *ending, uint64_t now, int *wait_status);

void ending_release(struct ending *ending);
