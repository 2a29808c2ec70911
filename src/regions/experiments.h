/* From a trial to what the marks do, and from what they found to the book. */
#pragma once

#include "regions/marks/call.h"
#include "regions/results/book.h"

/* `share` of its time is what the target is to lose or gain, from -0.9 to 10: percent / 100. */
struct experiment experiment_for(enum trial_kind kind, bool is_simple, double share,
                                 const struct region *target);

/* How long a call took, less the pauses that are subtracted. */
double experiment_time_ns(const struct experiment *experiment, const struct call *call);

/* What the marks of one region found in a call. */
struct finding {
    const char *name;
    uint64_t count;
    double time_ns;                  /* of all threads together */
    uint64_t left_open, never_begun; /* since the process began */
};

/* All regions that were ever entered or ended, with what was added since `before`, which has the sums of `known`
 * regions. *count becomes how many; freed by the caller. NULL: no memory, or there is none. */
struct finding *find_all(const struct region_sum *before, size_t known, double tick_ns, size_t *count);

/* Into the book, after a baseline that took so long. 0 or -ENOMEM. */
int book_findings(struct book *book, const struct finding *findings, size_t count, double time_ns,
                  unsigned cores);

/* That the process may use. */
unsigned count_cores(void);
