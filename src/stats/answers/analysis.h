/* From windows to answers: takes profile records as they come (from a file, or live from the controller) and
 * gives, for each target and progress point, the curve of effects with intervals, and a verdict.
 *
 * Memory grows with targets x points x speedups, not with windows (a cell keeps at most a few thousand block
 * effects). To be called from one thread at a time; no I/O, no clock. */
#pragma once

#include "profile/record.h"
#include "stats/answers/answer.h"

#include <stddef.h>

struct analysis;

struct analysis *analysis_new(void); /* NULL when memory is out */
void analysis_free(struct analysis *analysis);
/* Answers may be worked out in so many threads; in one, the caller's, unless told: beside a program that is measured,
 * others would disturb it. The answers are the same. */
void analysis_use_threads(struct analysis *analysis, unsigned count);
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
