/* Waits as targets: of a class, or at a line. They have numbers among the sites of a run whose targets are lines,
 * and no line: what they are called stands in the place of the file. For the controller's thread. */
#pragma once

#include "base/error.h"
#include "debuginfo/names/site.h"
#include "experiment/targets/targets.h"

enum { WAIT_TARGETS_MOST = 64 };

struct wait_targets {
    const char *wanted[WAIT_TARGETS_MOST]; /* "CLASS" or "FILE:LINE", as they were named */
    size_t count;
    bool all;      /* every wait that can be a target is one */
    bool largest;  /* the large ones of threads that matter are, beside lines, for few blocks */
    uint32_t seen; /* of the segment's waits */
    uint64_t looked_ns;
};

/* Finds what was named, for `targets` to draw in turn. A line's waits come when there is one. -EINVAL, with words
 * that tell what there is. */
int wait_targets_resolve(struct wait_targets *waits, struct site_set *sites, struct segment *segment,
                         struct targets *targets, struct coz_error *err);

/* How long all threads together have lived, by the wall clock. */
uint64_t waits_lived_ns(struct segment *segment);

/* Gives numbers to waits that are wanted and have come since. */
void wait_targets_look(struct wait_targets *waits, struct site_set *sites, struct segment *segment,
                       struct targets *targets);

/* A named line at which nobody has waited; NULL: there is none. */
const char *wait_targets_missing(const struct wait_targets *waits, const struct site_set *sites,
                                 const struct segment *segment);
