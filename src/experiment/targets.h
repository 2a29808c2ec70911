/* Drawing the next target: in proportion to the CPU time that fell in each site lately. */
#pragma once

#include "segment/segment.h"

struct targets {
    double *recent_ns; /* per site, decaying from block to block */
    uint64_t *seen_ns; /* per site: what the segment's total was at the last look */
    uint32_t capacity;
    uint32_t fixed[64]; /* when there are any, only these are drawn, in turn */
    uint32_t fixed_count, fixed_next;
};

void targets_release(struct targets *targets);

/* Looks at what was sampled since the last call. site_count: ids in use. 0 or -ENOMEM. */
int targets_update(struct targets *targets, const struct segment *segment, uint32_t site_count);

/* The next target, or 0 while there are no samples. Sites with less than a thousandth of the time are not
 * drawn; the others at least once for each hundred draws. */
uint32_t targets_draw(struct targets *targets, uint64_t *seed);
