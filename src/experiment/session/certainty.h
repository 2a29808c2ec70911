/* How sure the answers are: what --until-ci waits for, and what `coz run` says in the end. */
#pragma once

#include "stats/answers/analysis.h"

#include <stdbool.h>
#include <stddef.h>

enum { CERTAINTY_LEADERS = 3, CERTAINTY_WINDOWS = 5 };

/* The leaders of a progress point are the lines that may turn out best: those with the highest upper ends of
 * their 95 % intervals, three at most. (The three that rank highest now would be the wrong ones to wait for:
 * a line whose interval is still wide ranks low, and may be the best.) The width of an interval is that of
 * the impact, from its lower to its upper end, in percent points: 6 for "30 %, from 27 to 33"; but only as
 * far as chance makes it, which more windows make less. */
struct certainty {
    size_t points;  /* that have leaders */
    size_t leaders; /* of all points */
    double widest;  /* of the leaders' intervals; INFINITY when one of them rests on fewer than
                       CERTAINTY_WINDOWS windows at some speedup, or when there are no leaders */
};

/* May be called while records still come. */
struct certainty certainty_of(struct analysis *analysis);

/* Writes the leaders of the point that results[0] belongs to, highest upper end first; returns how many.
 * results[0..count) are the point's. */
size_t certainty_leaders(const struct analysis_result *results, size_t count,
                         const struct analysis_result *leaders[CERTAINTY_LEADERS]);

/* How many of the results, from the first on, are of the same progress point. */
size_t certainty_point_length(const struct analysis_result *results, size_t count);

/* The width in percent points; INFINITY when it rests on too few windows to be believed. */
double certainty_width(const struct analysis_result *result);

/* What waiting will bring: until the impacts of a point's leaders are known to so much on either side. */
enum patience_kind {
    PATIENCE_EARLY, /* too early to tell */
    PATIENCE_LEFT,  /* the runs must be so many `times` as long */
    PATIENCE_KNOWN, /* they are */
    PATIENCE_NEVER, /* the method itself is off by more, for one of them */
};
struct patience {
    enum patience_kind kind;
    double times;
};

/* results[0..count) are the point's; half: a share, 0.05 for 5 points. */
struct patience certainty_patience(const struct analysis_result *results, size_t count, double half);
