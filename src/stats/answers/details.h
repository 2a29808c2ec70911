/* What a picture of the answers shows beside them. All of it is to be asked after analysis_results(). */
#pragma once

#include "stats/answers/analysis.h"

/* What one window said, compared with its baseline windows: as measured, neither smoothed nor scaled to the
 * run. The residual is the effect less what the curve says at that speedup, which is not scaled to the run for
 * that either; NAN: it says nothing there. */
struct analysis_single {
    double speedup, effect, residual;
};

/* Writes at most `most` of them, in the order of time as far as they were kept; returns how many. None for
 * profiles of the original, whose windows have no baseline of their own. */
size_t analysis_singles(const struct analysis *analysis, const struct analysis_result *result,
                        struct analysis_single *singles, size_t most);

/* The function that the result's line is in; NULL: unknown, or the target is none. */
const char *analysis_function_of(const struct analysis *analysis, const struct analysis_result *result);

/* How samples of a target got there, the most frequent way first: the frames as profiles have them, and how many of
 * the samples that were looked at (one in so many) came so. *samples: how many those are. Returns how many ways. */
size_t analysis_stacks(const struct analysis *analysis, const struct analysis_result *result,
                       const struct analysis_stack **stacks, uint64_t *samples);

/* What part of the samples fell at a location, of the runs whose targets are of its kind; NAN: none did. */
double analysis_share_at(const struct analysis *analysis, const char *location);

/* Numbers, for results[0..count) of one progress point as they are ranked, those that cannot be told apart:
 * an answer has the number of the one before it as long as the two intervals allow both impacts to be the
 * same as that of the group's first. Only answers that help or harm are in groups; 0: none. */
void analysis_group(const struct analysis_result *results, size_t count, unsigned *groups);

/* How many times as long the runs must have been for the interval of the impact to reach no further than
 * `half` to either side; at most 1: it does not now. NAN: no run is long enough, for what the method itself
 * is off is more than that. */
double analysis_longer(const struct analysis_result *result, double half);
