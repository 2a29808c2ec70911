/* Which waits the threads that ran a location were in, and for what part of their time: sums over the runs of a
 * profile. Internal to src/stats/. */
#pragma once

#include "stats/input/names.h"

struct awaited {
    long wait;        /* whatever the caller counts waits by */
    uint64_t time_ns; /* of the location's cpu_ns */
};

struct awaits_location {
    uint64_t cpu_ns;
    struct awaited *waits; /* owned */
    size_t count, capacity;
};

/* Starts zeroed. */
struct awaits {
    struct names keys; /* target_key.h */
    struct awaits_location *locations;
    size_t capacity;
};

void awaits_release(struct awaits *awaits);

/* kind: NULL for lines. 0 or -ENOMEM. */
int awaits_add_samples(struct awaits *awaits, const char *kind, const char *location, uint64_t cpu_ns);
int awaits_add(struct awaits *awaits, const char *kind, const char *location, long wait, uint64_t time_ns);

/* NULL: nothing is known of it. Valid until something is added. */
const struct awaits_location *awaits_of(const struct awaits *awaits, const char *kind, const char *location);
