/* The server beside a run: a child of `coz run` that follows the profile and shows it, so that nothing of that
 * delays a window. It hears of the run's end by its socket, and stays while a page is open. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct live_child {
    pid_t pid;  /* 0: there is none */
    int socket; /* to it: wishes come here (experiment/session/wishes.h) */
};

struct live_options {
    char *profile;
    uint16_t port; /* 0: one that is free */
    bool opens_browser, mixes_builds;
};

/* Forks it. It serves nothing yet. To be called while there is one thread and no file is open that the child must
 * not hold. False: there is none, and a line on standard error says why. */
bool live_child_start(struct live_child *child, const struct live_options *options);

/* The run begins, and its profile is there: the child listens, and has said so on standard error. */
void live_child_begin(const struct live_child *child);

/* The run is over, and the profile is whole: waits until the last page is closed, or for an interrupt. */
void live_child_end(struct live_child *child);
