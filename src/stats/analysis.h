/* From windows to answers: takes profile records as they come (from a file, or live from the controller) and
 * gives, for each target and progress point, the curve of effects with intervals, and a verdict.
 *
 * Memory grows with targets x points x speedups, not with windows (a cell keeps at most a few thousand block
 * effects). Not thread safe; no I/O, no clock. */
#pragma once

#include "profile/record.h"
#include "stats/estimate.h"

#include <stdbool.h>
#include <stddef.h>

enum analysis_metric { METRIC_THROUGHPUT, METRIC_LATENCY };
enum analysis_verdict { VERDICT_IMPROVES, VERDICT_NO_EFFECT, VERDICT_HARMFUL, VERDICT_TOO_LITTLE };

struct analysis_curve_point {
    double speedup;
    double effect, low, high; /* 1 - ps/p0, phase-corrected */
    size_t windows;
};

struct analysis_result {
    const char *kind, *location, *point; /* owned by the analysis */
    enum analysis_metric metric;
    uint64_t samples;
    double share; /* of all in-scope samples of the runs that had targets of this kind, 0..1 */
    enum analysis_verdict verdict;
    double impact, low, high; /* effect per unit of speedup over the whole curve: see curve.c; NAN: tried
                                 in too few blocks to say anything (and among what is hidden) */
    double chance;            /* half of that interval, were there nothing but chance: what more windows make
                                 less */
    double strain; /* what part of its windows was made of pauses, at the speedup where it was most: what the
                      method is off, which more windows do not make less, grows with it */
    struct analysis_curve_point *curve; /* sorted by speedup; without 0; none when the impact is NAN */
    size_t curve_count;
};

struct analysis_hidden {
    const char *location;
    char why[160];
};

struct analysis;

struct analysis *analysis_new(void); /* NULL when memory is out */
void analysis_free(struct analysis *analysis);
int analysis_add(struct analysis *analysis, const struct profile_record *record); /* 0 or -ENOMEM */
/* After the last record: takes what the last block says, though its end was not seen. 0 or -ENOMEM. */
int analysis_finish(struct analysis *analysis);

/* The answers so far, sorted as they are to be ranked (by the lower end of the interval, best first; harmful
 * ones last), for each point apart. Valid until the next call on the analysis. May be called many times while
 * records still come. */
size_t analysis_results(struct analysis *analysis, const struct analysis_result **results);
/* What those answers leave out, and why. To be called after analysis_results(). */
size_t analysis_hidden(struct analysis *analysis, const struct analysis_hidden **hidden);
/* Where the samples fell. */
struct analysis_sum {
    const char *name;
    double own;         /* share of all in-scope samples, 0..1 */
    double with_called; /* of a function, with what it calls; NAN: no run was asked */
};
enum analysis_sums { SUMS_FUNCTIONS, SUMS_FILES };
/* The largest own share first. Valid until the next call on the analysis. */
size_t analysis_sums(struct analysis *analysis, enum analysis_sums what, const struct analysis_sum **sums);

/* Sums over all runs. */
uint64_t analysis_runtime_ns(const struct analysis *analysis);
uint64_t analysis_windows(const struct analysis *analysis);
uint64_t analysis_samples(const struct analysis *analysis); /* of any location, from PROFILE_SAMPLES */
size_t analysis_point_count(const struct analysis *analysis);
/* Spread of the built-in control: the 95 % half-width of what one window says when nothing was sped up
 * (log-ratio of a baseline window to the others in the same block that it is compared with); NAN when there
 * are too few.
 */
double analysis_control_spread(const struct analysis *analysis);
const char *analysis_verdict_name(
    enum analysis_verdict verdict); /* "improves", "no effect", "harmful", "not enough data" */
