#include "experiment/session/series.h"

#include "base/clock.h"
#include "experiment/session/certainty.h"
#include "experiment/targets/history.h"

#include <errno.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

/* An analysis takes some milliseconds, and more the longer the run; the next window waits for it. */
static const uint64_t look_every_ns = 1000000000, most_of_time = 50;

static bool is_sure(const struct series *series)
{
    return series->options.until_width > 0 &&
           certainty_of(series->analysis).widest <= series->options.until_width;
}

/* Seconds that are left of the duration; 0 when there is no end to it. */
static double seconds_left(const struct series *series)
{
    double limit = series->options.session.duration_s;
    double left = limit - (double)(clock_wall_ns() - series->began_ns) * 1e-9;
    return limit <= 0 ? 0 : left > 0 ? left : -1;
}

/* A run that is one experiment as a whole must not be cut short. */
static void on_tick(void *context)
{
    struct series *series = context;
    series->listener.tick(series->listener.context, series->session);
    uint64_t now = clock_wall_ns();
    if (series->options.session.end_to_end || series->sure || now < series->next_look_ns)
        return;
    series->sure = is_sure(series);
    uint64_t after = clock_wall_ns(), rest = most_of_time * (after - now);
    series->next_look_ns = after + (rest > look_every_ns ? rest : look_every_ns);
    if (series->sure)
        session_stop(series->session);
}

/* Adds the run that has ended to the total. */
static void add_up(struct series *series)
{
    const struct session_progress *run = session_progress(series->session);
    struct session_progress before = series->total, *total = &series->total;
    *total = *run;
    total->elapsed_ns += before.elapsed_ns;
    total->windows += before.windows;
    total->discarded += before.discarded;
    total->stolen_from += before.stolen_from;
    total->samples += before.samples;
    total->in_scope += before.in_scope;
    if (before.points_reached > total->points_reached)
        total->points_reached = before.points_reached;
    series->futile = run->windows || series->options.session.end_to_end ? 0 : series->futile + 1;
}

/* The next run has it from its beginning. */
static void keep_point(struct series *series)
{
    struct session_options *options = &series->options.session;
    strcpy(series->auto_point, session_auto_point(series->session));
    if (*series->auto_point && point_spec_parse(series->auto_point, &series->auto_spec, NULL) == 0) {
        options->points = &series->auto_spec;
        options->point_count = 1;
    }
}

static bool was_interrupted(const struct series *series)
{
    const volatile sig_atomic_t *interrupts = series->options.session.interrupts;
    return interrupts && *interrupts;
}

/* Whether that was the last run, and why. */
static bool has_ended(struct series *series)
{
    unsigned most = series->options.runs;
    if (!most)
        most = series->options.until_width > 0 ? SERIES_MOST_RUNS
               : series->options.whole_runs    ? SERIES_WHOLE_RUNS
                                               : 1;
    bool failed = !WIFEXITED(series->wait_status) || WEXITSTATUS(series->wait_status) != 0;
    if (was_interrupted(series))
        series->end = SERIES_INTERRUPTED;
    else if (series->sure || is_sure(series))
        series->end = SERIES_SURE;
    else if (session_stopped(series->session) || seconds_left(series) < 0)
        series->end = SERIES_TIMED_OUT;
    else if (series->runs >= most)
        series->end = SERIES_RAN;
    else if (failed)
        series->end = SERIES_FAILED;
    else if (series->futile >= SERIES_FUTILE_RUNS)
        series->end = SERIES_FUTILE;
    else
        return false;
    return true;
}

static int run_once(struct series *series, char **argv, struct coz_error *err)
{
    struct session_options options = series->options.session;
    if (options.seed)
        options.seed += series->runs;
    if (options.duration_s > 0)
        options.duration_s = seconds_left(series);
    series->runs++;
    int rc = session_begin(&series->session, &options, argv, err);
    if (rc)
        return rc;
    if (series->runs == 1 && series->options.until_width > 0)
        rc = history_analyse(series->analysis, options.output, session_program(series->session),
                             session_build_id(series->session), options.mixes_builds);
    if (rc)
        return error_set(err, -rc, "%s: %s", options.output, strerror(-rc));
    series->listener.begins(series->listener.context, series->session, series->runs);
    if (series->runs == 1)
        series->began_ns = clock_wall_ns(); /* reading debug information is not the program's time */
    rc = session_run(series->session, on_tick, series, &series->wait_status, err);
    add_up(series);
    return rc;
}

int series_run(struct series *series, const struct series_options *options, char **argv,
               const struct series_listener *listener, struct coz_error *err)
{
    *series = (struct series){.options = *options, .listener = *listener, .analysis = analysis_new()};
    series->options.session.analysis = series->analysis;
    series->began_ns = clock_wall_ns();
    if (!series->analysis)
        return error_set(err, ENOMEM, "out of memory");
    for (;;) {
        int rc = run_once(series, argv, err);
        if (rc || has_ended(series))
            return rc;
        if (series->options.session.point_count == 0)
            keep_point(series);
        session_end(series->session);
        series->session = NULL;
    }
}

void series_release(struct series *series)
{
    session_end(series->session);
    analysis_free(series->analysis);
}
