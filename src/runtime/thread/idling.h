/* Where a thread waits most, and how much of its life, so that a sample of it tells what the threads that run a
 * line wait for. For the thread itself, in its handler as well. */
#pragma once

#include <stdint.h>

enum { IDLING_PLACES = 6 };

struct idling {
    uint64_t began_ns; /* the thread's life, by the wall clock; 0: unknown */
    struct idling_place {
        uint32_t wait; /* one more than its index in the segment's `waits`; 0: free */
        uint64_t ns;
    } places[IDLING_PLACES];
};

/* A wait is over, that of this index. Of many places those with most time are kept, which then have a little less
 * than they had. */
void idling_add(struct idling *idling, uint32_t wait, uint64_t ns);

/* The thread ends, for which somebody may wait: where it waited matters. */
void idling_end(const struct idling *idling);

/* A sample of weight_ns fell in these sites: each place that has a share of the thread's life worth telling has as
 * large a share of the sample, which is added to the segment's `awaits` of the first of the sites. */
void idling_sample(const struct idling *idling, const uint32_t *sites, uint32_t count, uint64_t weight_ns,
                   uint64_t now_ns);
