/* What an analysis says: the answer about one target and one progress point, what is left out, and where the
 * samples fell. */
#pragma once

#include "stats/estimate/curve_point.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum analysis_metric { METRIC_THROUGHPUT, METRIC_LATENCY };
enum analysis_verdict { VERDICT_IMPROVES, VERDICT_NO_EFFECT, VERDICT_HARMFUL, VERDICT_TOO_LITTLE };

/* A way to a target: its frames as profiles have them (profile/frames.h), owned, and how many samples came so. */
struct analysis_stack {
    char *frames;
    uint64_t count;
};

struct analysis_result {
    const char *kind, *location, *point; /* owned by the analysis */
    enum analysis_metric metric;
    uint64_t samples; /* of a region beside targets of another kind: entries */
    /* Of all in-scope samples of the runs that had targets of this kind, 0..1; of such a region: of the CPU time; of a
     * wait: of the time that threads lived. */
    double share;
    uint64_t left_open, never_begun; /* of a region: entries without an end, ends without an entry */
    enum analysis_verdict verdict;
    double impact, low, high; /* effect per unit of speedup over the whole curve: see curve.c; NAN: tried
                                 in too few blocks to say anything (and among what is hidden) */
    double chance;            /* half of that interval, were there nothing but chance: what more windows make
                                 less */
    double freedom;           /* degrees of freedom that `chance` is known with; 0: it is not */
    double more_ns; /* how much longer the runs must be until there is a verdict, about; 0: there is one; NAN:
                       not known; INFINITY: no length will do, because of what the method is off */
    double strain;  /* what part of its windows was made of pauses, at the speedup where it was most: what the
                      method is off, which more windows do not make less, grows with it */
    struct kink kink;
    bool has_kink;             /* the interval of its change leaves out 0 */
    struct curve_point *curve; /* sorted by speedup; without 0; none when the impact is NAN */
    size_t curve_count;
};

/* Waits are targets beside those of any kind, and not sampled. kind: NULL for lines. */
static inline bool kind_is_wait(const char *kind)
{
    return kind && strcmp(kind, "wait") == 0;
}

struct analysis_hidden {
    const char *location;
    char why[160];
};

/* Where the samples fell. */
struct analysis_sum {
    const char *name;
    double own;         /* share of all in-scope samples, 0..1 */
    double with_called; /* of a function, with what it calls; NAN: no run was asked */
};
