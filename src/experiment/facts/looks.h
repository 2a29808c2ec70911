/* Looks at what the threads of the profiled tree do, from outside: at random moments, in the first seconds of a run,
 * and only while nobody is delayed. For the controller's thread. */
#pragma once

#include "diagnosis/facts.h"
#include "shared/layout.h"

struct looks {
    struct look_facts seen;
    uint64_t next_ns; /* when to look next */
    uint64_t seed;
};

/* The first look comes a moment later. */
void looks_begin(struct looks *looks, uint64_t now_ns, uint64_t seed);

/* Looks, when it is time. Lowers *next_ns to the moment of the next look. */
void looks_step(struct looks *looks, const struct segment *segment, uint64_t now_ns, uint64_t *next_ns);

/* What a thread waits for that is in that system call, with these arguments: a clock, the outside, or what is told
 * by neither (LOOK_PEERS: a lock, a child, another thread). */
enum look_wait { LOOK_PEERS, LOOK_CLOCK, LOOK_OUTSIDE, LOOK_DISK };
enum look_wait looks_wait_of(long call, const unsigned long arguments[6]);
