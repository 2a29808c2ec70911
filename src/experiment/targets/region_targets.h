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

/* Nothing but those that are named is a target, if any are. -EINVAL: the targets of the run have numbers of their own. */
int region_targets_resolve(const struct region_targets *regions, struct segment *segment,
                           struct targets *targets, struct coz_error *err);

/* Makes regions targets that have come since. Those that are wanted by their names have slots from the beginning, and have
 * come when they were entered. */
void region_targets_look(const struct region_targets *regions, struct site_set *sites,
                         struct segment *segment, struct targets *targets);

/* The program has ended: a last look, and what was told while numbers were given is counted, too. */
void region_targets_end(const struct region_targets *regions, struct site_set *sites, struct segment *segment,
                        struct targets *targets);

/* What was asked for and was never entered: a name, or "" where any region would do; NULL: nothing is missing. */
const char *region_targets_missing(const struct region_targets *regions, struct segment *segment);

/* The names of regions that were entered, apart by commas, as far as there is room. */
void region_targets_entered(const struct segment *segment, char *text, size_t size);

/* Tells of the first region whose marks do not come in pairs; false: all do. */
bool region_targets_unpaired(const struct segment *segment, char *text, size_t size);
