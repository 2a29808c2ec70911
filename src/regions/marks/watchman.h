/* A thread of the library's own that comes by again and again, at random: while it sleeps no mark can tell it when. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* What it does, and after how long it does it again: at least, and below what. */
struct watchman {
    void (*comes_by)(void);
    uint64_t least_ns, most_ns;
};

/* True when it is there, or was already. Any thread. */
bool watchman_start(const struct watchman *what);

/* It does no more when this returns. Not for two threads at once. */
void watchman_stop(void);

/* In the child of a fork, where it is not. */
void watchman_forked(void);
