/* What was measured of regions as a profile, for `coz report`. */
#pragma once

#include "base/error.h"
#include "profile/writer.h"
#include "regions/results/book.h"

struct regions_profile {
    struct profile_writer *writer;
    uint64_t began_ns, block;
    unsigned cores;
};

/* Begins a run. Refuses a profile of another build: -EINVAL. */
int regions_profile_begin(struct regions_profile *profile, const char *path, const char *program,
                          struct coz_error *err);

/* The windows of the last iteration, which is complete. Each region has a block for all of its runs that are compared with
 * the same ones: with baselines, and with controls where the region is to be faster. */
int regions_profile_iteration(struct regions_profile *profile, const struct book *book,
                              struct coz_error *err);

/* How much time was in the regions; and the run's end. */
int regions_profile_end(struct regions_profile *profile, const struct book *book, struct coz_error *err);
