#include "report/intake.h"

#include <errno.h>

int intake_begin(struct intake *intake)
{
    intake->analysis = analysis_new();
    intake->story = story_new();
    intake->waiting = waiting_new();
    intake->latencies = latencies_new();
    return intake->analysis && intake->story && intake->waiting && intake->latencies ? 0 : -ENOMEM;
}

void intake_release(struct intake *intake)
{
    builds_release(&intake->builds);
    story_free(intake->story);
    waiting_free(intake->waiting);
    latencies_free(intake->latencies);
    analysis_free(intake->analysis);
    intake->analysis = NULL;
    intake->story = NULL;
    intake->waiting = NULL;
    intake->latencies = NULL;
}

void intake_lend(const struct intake *intake, struct report_options *options)
{
    options->story = intake->story;
    options->waiting = intake->waiting;
    options->latencies = intake->latencies;
}

static int add_whole(struct intake *intake, const struct profile_record *record)
{
    int code = latencies_add(intake->latencies, record);
    return code ? code : analysis_add(intake->analysis, record);
}

static int add_latency_of_process(struct intake *intake, const struct profile_record *record)
{
    struct profile_record part = {.type = PROFILE_LATENCY};
    if (record->process_latency.pid != intake->pid)
        return 0;
    intake->of_pid++;
    part.latency.name = record->process_latency.name;
    part.latency.arrivals = record->process_latency.arrivals;
    part.latency.departures = record->process_latency.departures;
    part.latency.difference = record->process_latency.difference;
    part.latency.elapsed_ns = record->process_latency.elapsed_ns;
    return add_whole(intake, &part);
}

/* Of a tree's points, one process's part; the time of a throughput point's is the window's. */
static int add_record_of_process(struct intake *intake, const struct profile_record *record)
{
    struct profile_record part = {.type = PROFILE_THROUGHPUT};
    if (record->type == PROFILE_THROUGHPUT || record->type == PROFILE_LATENCY)
        return 0;
    if (record->type == PROFILE_LATENCY_TIMES) /* whose they were is not known */
        return 0;
    if (record->type == PROFILE_PROCESS_LATENCY)
        return add_latency_of_process(intake, record);
    if (record->type != PROFILE_PROCESS_POINT)
        return add_whole(intake, record);
    if (record->process_point.pid != intake->pid)
        return 0;
    intake->of_pid++;
    part.throughput.name = record->process_point.name;
    part.throughput.delta = record->process_point.delta;
    return analysis_add(intake->analysis, &part);
}

/* Runs of others tell neither their beginning nor their end for sure. */
static void note_run(struct intake *intake, const struct profile_record *record)
{
    if (record->type == PROFILE_STARTUP || record->type == PROFILE_EXPERIMENT)
        intake->is_open = true;
    else if (record->type == PROFILE_RUNTIME)
        intake->is_open = false;
}

int intake_add(struct intake *intake, const struct profile_record *record)
{
    intake->records++;
    note_run(intake, record);
    int code = builds_add(&intake->builds, intake->profile, record);
    if (code == 0)
        code = story_add(intake->story, record);
    if (code == 0)
        code = waiting_add(intake->waiting, record);
    if (code < 0)
        return code;
    return intake->pid ? add_record_of_process(intake, record) : add_whole(intake, record);
}
