#include "verify/run.h"

#include "base/clock.h"
#include "experiment/targets/fixed_targets.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const uint64_t period_ns = 500000; /* as `coz run` has it */

struct running {
    struct session *session;
    struct meter meter;
    const volatile sig_atomic_t *interrupts;
};

static void on_tick(void *context)
{
    struct running *running = context;
    meter_look(&running->meter, session_progress(running->session)->segment, clock_wall_ns());
    if (running->interrupts && *running->interrupts)
        session_stop(running->session);
}

static void take_points(struct run_result *result, const struct running *running)
{
    const struct segment *segment = session_progress(running->session)->segment;
    struct metered metered;
    for (uint32_t i = 0; i < SEGMENT_POINTS && result->count < RUN_POINTS; i++) {
        if (!meter_point(&running->meter, segment, i, &metered) || metered.visits == 0)
            continue;
        struct run_point *point = &result->points[result->count++];
        *point = (struct run_point){
            .is_latency = metered.is_latency, .time_ns = metered.time_ns, .visits = metered.visits};
        memcpy(point->name, metered.name, sizeof point->name);
        point->name[sizeof point->name - 1] = '\0';
    }
}

/* A program that was not ended by us must have ended well. */
static int check_end(const struct running *running, const struct run_request *request, int status,
                     struct coz_error *err)
{
    if (request->interrupts && *request->interrupts)
        return error_set(err, EINTR, "interrupted");
    if (session_stopped(running->session) || (WIFEXITED(status) && WEXITSTATUS(status) == 0))
        return 0;
    if (WIFSIGNALED(status))
        return error_set(err, EPROTO, "%.200s was ended by a signal (%s).", request->argv[0],
                         strsignal(WTERMSIG(status)));
    return error_set(err, EPROTO, "%.200s failed (exit status %d).", request->argv[0], WEXITSTATUS(status));
}

int run_build(struct run_result *result, const struct run_request *request, struct coz_error *err)
{
    struct session_options options = {.output = request->scratch,
                                      .output_is_given = true,
                                      .counts_only = !request->scratch,
                                      .mixes_builds = true,
                                      .granularity = request->granularity,
                                      .granularity_is_given = true,
                                      .scope = request->scope,
                                      .speedups = {0},
                                      .speedup_count = 1,
                                      .period_ns = period_ns,
                                      .duration_s = request->seconds,
                                      .interrupts = request->interrupts};
    /* A sample in one of them that another one called is a sample of both, and counts once for all. */
    if (request->together)
        options.fixed =
            (struct fixed_targets){.specs = {*request->together}, .count = 1, .may_be_gone = true};
    struct running *running = calloc(1, sizeof *running);
    int status = 0;
    *result = (struct run_result){.count = 0};
    if (!running)
        return error_set(err, ENOMEM, "out of memory");
    if (request->scratch)
        unlink(request->scratch);
    running->interrupts = request->interrupts;
    int rc = session_begin(&running->session, &options, request->argv, err);
    if (rc == 0)
        rc = session_run(running->session, on_tick, running, &status, err);
    if (rc == 0)
        rc = check_end(running, request, status, err);
    if (rc == 0) {
        take_points(result, running);
        snprintf(result->build_id, sizeof result->build_id, "%s", session_build_id(running->session));
    }
    session_end(running->session);
    if (rc == 0 && request->scratch)
        rc = costs_read(&result->costs, request->scratch, err);
    if (request->scratch)
        unlink(request->scratch);
    free(running);
    return rc;
}

void run_release(struct run_result *result)
{
    costs_release(&result->costs);
}

const struct run_point *run_find(const struct run_result *result, const char *name, bool is_latency)
{
    for (size_t i = 0; i < result->count; i++)
        if (strcmp(result->points[i].name, name) == 0 && result->points[i].is_latency == is_latency)
            return &result->points[i];
    return NULL;
}
