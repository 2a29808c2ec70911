/* Regions as targets (shared/region_slots.h). They have numbers among the sites of a run whose targets are lines,
 * functions or files, and no line: "region:NAME" stands in the place of the file. For the controller's thread. */
#pragma once

#include "base/error.h"
#include "debuginfo/names/site.h"
#include "experiment/targets/targets.h"

enum { REGION_TARGETS_MOST = 64 };

struct region_targets {
    const char *wanted[REGION_TARGETS_MOST]; /* names */
    size_t count;
    bool only;   /* nothing but regions is a target */
    bool beside; /* all are, beside what else there is */
};

/* Makes those that are named targets; the others become so when the program has passed a mark of theirs. -EINVAL: the
 * targets of the run have numbers of their own, or there are too many. */
int region_targets_resolve(const struct region_targets *regions, struct site_set *sites,
                           struct segment *segment, struct targets *targets, struct coz_error *err);

/* Gives numbers to regions that are wanted and have come since. */
void region_targets_look(const struct region_targets *regions, struct site_set *sites,
                         struct segment *segment, struct targets *targets);

/* What was asked for and was never entered: a name, or "" where any region would do; NULL: nothing is missing. */
const char *region_targets_missing(const struct region_targets *regions, struct segment *segment);

/* Tells of the first region whose marks do not come in pairs; false: all do. */
bool region_targets_unpaired(const struct segment *segment, char *text, size_t size);
