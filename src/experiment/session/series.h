/* Several runs of one program, one after the other, until its lines are known well enough: a session each,
 * all of them into one profile and one analysis. A single run is a series of one. */
#pragma once

#include "experiment/session/session.h"

/* Without a number of runs, a program is not started more often than that; and not again after so many runs
 * in a row that brought no finished window. */
enum { SERIES_MOST_RUNS = 1000, SERIES_WHOLE_RUNS = 20, SERIES_FUTILE_RUNS = 3 };

struct series_options {
    /* duration_s is for all runs together; seed for the first of them; analysis is set by the series. */
    struct session_options session;
    double until_width; /* end when the leaders' intervals are at most that wide (certainty.h); 0: do not */
    unsigned runs;      /* at most so many; 0: one, or with until_width SERIES_MOST_RUNS, or else with
                           whole_runs SERIES_WHOLE_RUNS */
    bool whole_runs;    /* a run is the unit of work, and there are to be many */
};

enum series_end {
    SERIES_RAN,         /* so often as it was to */
    SERIES_SURE,        /* the leaders' intervals are narrow enough */
    SERIES_TIMED_OUT,   /* duration_s is over */
    SERIES_INTERRUPTED, /* by a signal to the caller */
    SERIES_FAILED,      /* the program, and was not run again: by its exit status, or a signal */
    SERIES_FUTILE,      /* the last runs were too short for one window */
};

struct series_listener {
    /* Before a run (numbered from 1), and about ten times a second during it. */
    void (*begins)(void *context, struct session *session, unsigned run);
    void (*tick)(void *context, struct session *session);
    void *context;
};

struct series {
    /* What it says in the end, or at any tick. */
    struct analysis *analysis;
    struct session *session;       /* the present or last run's */
    struct session_progress total; /* over all runs; but segment and analysis are the last one's */
    unsigned runs;                 /* that have begun */
    int wait_status;               /* of the last run */
    enum series_end end;

    struct series_options options;
    struct series_listener listener;
    uint64_t began_ns, next_look_ns;
    unsigned futile;
    char auto_point[SEGMENT_POINT_NAME]; /* that an earlier run has found, */
    struct point_spec auto_spec;         /* for those that come */
    bool sure;
};

/* Runs it. In the end the last session is still there, for what it can tell. Errors are those of
 * session_begin() and session_run(). What the profile holds of earlier runs of the same program counts for
 * until_width, too. To be released in any case. */
int series_run(struct series *series, const struct series_options *options, char **argv,
               const struct series_listener *listener, struct coz_error *err);
void series_release(struct series *series);
