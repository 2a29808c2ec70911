/* The sign of life that the runtime goes by: a thread of its own gives it, so that nothing that the controller's
 * own thread waits for (a disk, a large table) lets the delays end in the middle of a window. It ends when the
 * controller is stopped or dies; and when its own thread has not said anything for so long that nobody would
 * end a window any more. */
#pragma once

#include "shared/layout.h"

#include <pthread.h>

struct heartbeat {
    struct segment *segment; /* NULL: it was never started */
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t ended;
    bool ends;
    _Atomic uint64_t attended_ns; /* the last sign of the controller's own thread */
    _Atomic uint64_t missed_ns;   /* heartbeat_missed_ns(), without what goes on */
};

/* The wall clock is CLOCK_MONOTONIC. 0, or a negative errno. */
int heartbeat_start(struct heartbeat *heartbeat, struct segment *segment);
void heartbeat_stop(struct heartbeat *heartbeat);

/* The controller's own thread is at work. To be called several times a second. */
void heartbeat_attend(struct heartbeat *heartbeat, uint64_t now_ns);

/* For how long, all in all, nothing was heard that should have been: the controller was stopped, or the machine
 * stood still with it, or nobody attended. Without a heartbeat, 0. Any thread. */
uint64_t heartbeat_missed_ns(const struct heartbeat *heartbeat, uint64_t now_ns);
