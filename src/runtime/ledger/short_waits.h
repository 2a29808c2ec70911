/* Which waits of a thread are counted. All threads count them in the segment's tables, and take the same cache lines from
 * each other: where short waits follow each other closely, one of several is counted, drawn at random, and speaks for
 * all of them (clock/thinning.h). Longer ones speak each for itself.
 *
 * For the calling thread; async-signal-safe. */
#pragma once

#include "runtime/clock/thinning.h"
#include "shared/waits.h"

enum {
    WAIT_SHORT_NS = 100000,
    WAITS_APART_NS = 1000000, /* between two short ones that are counted, in the mean */
};

struct short_waits {
    struct thinning thinning; /* in nanoseconds */
    uint64_t random;
};

/* For how many waits that one of ns speaks, which ended at now_ns. 0: it was too short to count, or another one speaks
 * for it. */
static inline uint32_t short_waits_share(struct short_waits *waits, uint64_t ns, uint64_t now_ns)
{
    if (ns < WAIT_COUNTS_NS)
        return 0;
    if (ns >= WAIT_SHORT_NS)
        return 1;
    if (!thinning_passes(&waits->thinning))
        return thinning_take(&waits->thinning, now_ns, WAITS_APART_NS, &waits->random);
    thinning_pass(&waits->thinning);
    return 0;
}
