/* What is known of the sites that targets are drawn from (targets.h). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { TARGETS_ENOUGH_BLOCKS = 5 }; /* for a good answer */

enum target_beside { BESIDE_NOTHING, BESIDE_WAIT, BESIDE_REGION };

struct targets {
    /* What never had a sample is never written to: of most sites these hold nothing, and take no memory. */
    double *recent_ns;     /* per site, decaying from block to block */
    double *turns;         /* per site: what it was due, less what it got */
    uint64_t *seen_ns;     /* per site: what the segment's total was at the last look */
    double *beside_ns;     /* per site: as recent_ns, of waits and regions */
    unsigned char *beside; /* per site, enum target_beside */
    uint32_t *blocks;      /* per site: how often it was drawn, in earlier runs too, less what was lost */
    double *lost;          /* per site: blocks that were lost, and are not taken off yet */
    uint32_t capacity, tried, draws;
    uint32_t first, first_draws; /* is drawn next, so often */
    uint32_t fixed[64];          /* when there are any, only these are drawn, in turn */
    uint32_t fixed_count, fixed_next;
    bool has_beside;
    bool waits_are_few;  /* a wait is drawn in the place of a line once in eight draws at most */
    uint32_t wait_draws; /* in earlier runs too, as draws */
    bool only_fixed;     /* nothing is drawn while there are none yet */
};
