/* What was measured of regions as a profile, for `coz report`. */
#pragma once

#include "base/error.h"
#include "profile/writer.h"
#include "regions/results/book.h"

struct regions_profile {
    struct profile_writer *writer;
    uint64_t began_ns, block;
    size_t baselines; /* that are written */
    unsigned cores;
};

/* Begins a run. Refuses a profile of another build: -EINVAL. */
int regions_profile_begin(struct regions_profile *profile, const char *path, const char *program,
                          struct coz_error *err);

/* The windows of the last iteration. Each region has a block: its runs, and the baselines of the iteration. `simple` has
 * a block for each percentage that is below zero, with the run in which all regions were slowed as its baseline. */
int regions_profile_iteration(struct regions_profile *profile, const struct book *book,
                              struct coz_error *err);

/* How much time was in the regions; and the run's end. */
int regions_profile_end(struct regions_profile *profile, const struct book *book, struct coz_error *err);
