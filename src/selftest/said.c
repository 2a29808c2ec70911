#include "selftest/said.h"

#include "experiment/session/session.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const int half_permille = 500;
static const uint64_t period_ns = 500000; /* as `coz run` has it */

struct run {
    struct session *session;
    const volatile sig_atomic_t *interrupts;
};

/* What was sent to us alone must end the program as well. */
static void on_tick(void *context)
{
    const struct run *run = context;
    if (run->interrupts && *run->interrupts)
        session_stop(run->session);
}

static bool is_line(const struct analysis_result *result, const struct selftest_line *line)
{
    char end[64];
    snprintf(end, sizeof end, "/workload.c:%u", line->number);
    size_t length = strlen(result->location), size = strlen(end);
    return length >= size && strcmp(result->location + length - size, end) == 0;
}

static void take_answer(struct analysis *analysis, struct selftest_line *line)
{
    const struct analysis_result *results;
    size_t count = analysis_results(analysis, &results);
    line->said = (struct selftest_effect){NAN, NAN, NAN};
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < results[i].curve_count && is_line(&results[i], line); j++) {
            const struct curve_point *point = &results[i].curve[j];
            if (fabs(point->speedup - half_permille / 1000.0) > 0.0005)
                continue;
            line->said = (struct selftest_effect){point->effect, point->low, point->high};
            line->windows = point->windows;
        }
}

static int profile_workload(struct session **session, struct selftest *selftest,
                            const struct session_options *options, char **argv, struct coz_error *err)
{
    int status, rc = session_begin(session, options, argv, err);
    struct run run = {*session, options->interrupts};
    if (rc == 0)
        rc = session_run(*session, on_tick, &run, &status, err);
    if (rc)
        return rc;
    if (options->interrupts && *options->interrupts)
        return error_set(err, EINTR, "interrupted");
    if (session_stopped(*session))
        return error_set(err, ETIMEDOUT, "the program `%s` of the selftest does not end under the profiler",
                         argv[1]);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        return error_set(err, EPROTO,
                         "the program `%s` of the selftest failed under the profiler (status %#x)", argv[1],
                         (unsigned)status);
    const struct session_progress *progress = session_progress(*session);
    selftest->sampler = progress->sampler;
    selftest->perf_errno = progress->perf_errno;
    return 0;
}

int said_measure(struct selftest *selftest, const struct workplace *workplace, double seconds,
                 struct selftest_line lines[2], const struct selftest_options *options, struct coz_error *err)
{
    char path[PATH_MAX], program[32], time[32], quiet[] = "quiet", places[2][64];
    snprintf(path, sizeof path, "%s", workplace->workload);
    snprintf(program, sizeof program, "%s", lines[0].program);
    snprintf(time, sizeof time, "%.3f", seconds);
    char *argv[] = {path, program, time, quiet, NULL};
    struct session_options run = {
        .output = workplace->profile,
        .granularity_is_given = true,
        .fixed.count = 2,
        .speedups = {half_permille},
        .speedup_count = 1,
        .period_ns = period_ns,
        .duration_s = seconds + SELFTEST_PATIENCE_S,
        .sampler = options->sampler,
        .interrupts = options->interrupts,
    };
    for (size_t i = 0; i < 2; i++) {
        snprintf(places[i], sizeof places[i], "workload.c:%u", lines[i].number);
        target_spec_of_kind(&run.fixed.specs[i], "line", PART_LINE, places[i], err);
    }
    struct session *session = NULL;
    unlink(workplace->profile);
    int rc = profile_workload(&session, selftest, &run, argv, err);
    for (size_t i = 0; rc == 0 && i < 2; i++)
        take_answer(session_progress(session)->analysis, &lines[i]);
    session_end(session);
    return rc;
}
