#include "profile/layout.h"

#include <math.h>
#include <string.h>

#define MEMBER(json_name, tab_name, kind, required, field)                                                   \
    {                                                                                                        \
        json_name, tab_name, kind, required, offsetof(struct profile_record, field)                          \
    }

static const struct layout_member startup_members[] = {
    MEMBER("time", "time", LAYOUT_COUNT, false, startup.time_ns),
    MEMBER("program", "program", LAYOUT_STRING, false, startup.program),
    MEMBER("build_id", "build-id", LAYOUT_STRING, false, startup.build_id),
    MEMBER("sampler", "sampler", LAYOUT_STRING, false, startup.sampler),
    MEMBER("granularity", "granularity", LAYOUT_STRING, false, startup.granularity),
    MEMBER("cores", "cores", LAYOUT_COUNT, false, startup.cores),
    MEMBER("allowed", "allowed", LAYOUT_COUNT, false, startup.allowed),
    MEMBER("model", "model", LAYOUT_STRING, false, startup.model),
    MEMBER("load", "load", LAYOUT_NUMBER, false, startup.load),
};

static const struct layout_member experiment_members[] = {
    MEMBER("selected", "selected", LAYOUT_STRING, true, experiment.selected),
    MEMBER("kind", "kind", LAYOUT_STRING, false, experiment.kind),
    MEMBER("speedup", "speedup", LAYOUT_SPEEDUP, true, experiment.speedup),
    MEMBER("duration", "duration", LAYOUT_COUNT, true, experiment.duration_ns),
    MEMBER("selected_samples", "selected-samples", LAYOUT_COUNT, false, experiment.selected_samples),
    MEMBER("block", "block", LAYOUT_COUNT, false, experiment.block),
    MEMBER("window", "window", LAYOUT_COUNT, false, experiment.window),
    MEMBER("selected_ns", "selected-ns", LAYOUT_COUNT, false, experiment.selected_ns),
    MEMBER("sampled_ns", "sampled-ns", LAYOUT_COUNT, false, experiment.sampled_ns),
    MEMBER("delay", "delay", LAYOUT_COUNT, false, experiment.delay_ns),
    MEMBER("paused", "paused", LAYOUT_COUNT, false, experiment.paused_ns),
    MEMBER("settled", "settled", LAYOUT_COUNT, false, experiment.settled_ns),
    MEMBER("began", "began", LAYOUT_COUNT, false, experiment.began_ns),
    MEMBER("stolen", "stolen", LAYOUT_COUNT, false, experiment.stolen_ns),
};

static const struct layout_member throughput_members[] = {
    MEMBER("name", "name", LAYOUT_STRING, true, throughput.name),
    MEMBER("delta", "delta", LAYOUT_COUNT, true, throughput.delta),
    MEMBER("elapsed", "elapsed", LAYOUT_COUNT, false, throughput.elapsed_ns),
};

static const struct layout_member latency_members[] = {
    MEMBER("name", "name", LAYOUT_STRING, true, latency.name),
    MEMBER("arrivals", "arrivals", LAYOUT_COUNT, true, latency.arrivals),
    MEMBER("departures", "departures", LAYOUT_COUNT, true, latency.departures),
    MEMBER("difference", "difference", LAYOUT_NUMBER, true, latency.difference),
    MEMBER("elapsed", "elapsed", LAYOUT_COUNT, false, latency.elapsed_ns),
};

static const struct layout_member runtime_members[] = {
    MEMBER("time", "time", LAYOUT_COUNT, true, runtime.time_ns),
    MEMBER("baseline_ns", "baseline-ns", LAYOUT_COUNT, false, runtime.baseline_ns),
    MEMBER("samples", "samples", LAYOUT_COUNT, false, runtime.samples),
    MEMBER("others", "others", LAYOUT_NUMBER, false, runtime.others),
    MEMBER("stolen", "stolen", LAYOUT_NUMBER, false, runtime.stolen),
    MEMBER("lived", "lived", LAYOUT_COUNT, false, runtime.lived_ns),
    MEMBER("cpu_ns", "cpu-ns", LAYOUT_COUNT, false, runtime.cpu_ns),
    MEMBER("queued", "queued", LAYOUT_COUNT, false, runtime.queued_ns),
};

static const struct layout_member samples_members[] = {
    MEMBER("location", "location", LAYOUT_STRING, true, samples.location),
    MEMBER("count", "count", LAYOUT_COUNT, true, samples.count),
    MEMBER("cpu_ns", "cpu-ns", LAYOUT_COUNT, false, samples.cpu_ns),
    MEMBER("baseline_ns", "baseline-ns", LAYOUT_COUNT, false, samples.baseline_ns),
    MEMBER("kind", "kind", LAYOUT_STRING, false, samples.kind),
    MEMBER("self_ns", "self-ns", LAYOUT_COUNT, false, samples.self_ns),
    MEMBER("function", "function", LAYOUT_STRING, false, samples.function),
    MEMBER("file", "file", LAYOUT_STRING, false, samples.file),
    MEMBER("text", "text", LAYOUT_STRING, false, samples.text),
    MEMBER("left_open", "left-open", LAYOUT_COUNT, false, samples.left_open),
    MEMBER("never_begun", "never-begun", LAYOUT_COUNT, false, samples.never_begun),
};

static const struct layout_member process_point_members[] = {
    MEMBER("name", "name", LAYOUT_STRING, true, process_point.name),
    MEMBER("pid", "pid", LAYOUT_COUNT, true, process_point.pid),
    MEMBER("delta", "delta", LAYOUT_COUNT, true, process_point.delta),
};

static const struct layout_member process_latency_members[] = {
    MEMBER("name", "name", LAYOUT_STRING, true, process_latency.name),
    MEMBER("pid", "pid", LAYOUT_COUNT, true, process_latency.pid),
    MEMBER("arrivals", "arrivals", LAYOUT_COUNT, true, process_latency.arrivals),
    MEMBER("departures", "departures", LAYOUT_COUNT, true, process_latency.departures),
    MEMBER("difference", "difference", LAYOUT_NUMBER, true, process_latency.difference),
    MEMBER("elapsed", "elapsed", LAYOUT_COUNT, false, process_latency.elapsed_ns),
};

static const struct layout_member latency_times_members[] = {
    MEMBER("name", "name", LAYOUT_STRING, true, latency_times.name),
    MEMBER("bucket", "bucket", LAYOUT_COUNT, false, latency_times.bucket),
    MEMBER("counts", "counts", LAYOUT_STRING, false, latency_times.counts),
    MEMBER("unmatched", "unmatched", LAYOUT_COUNT, false, latency_times.unmatched),
    MEMBER("refused", "refused", LAYOUT_COUNT, false, latency_times.refused),
};

static const struct layout_member process_members[] = {
    MEMBER("pid", "pid", LAYOUT_COUNT, true, process.pid),
    MEMBER("parent", "parent", LAYOUT_COUNT, false, process.parent),
    MEMBER("program", "program", LAYOUT_STRING, false, process.program),
    MEMBER("samples", "samples", LAYOUT_COUNT, false, process.samples),
    MEMBER("cpu_ns", "cpu-ns", LAYOUT_COUNT, false, process.cpu_ns),
};

static const struct layout_member discarded_members[] = {
    MEMBER("began", "began", LAYOUT_COUNT, true, discarded.began_ns),
    MEMBER("duration", "duration", LAYOUT_COUNT, true, discarded.real_ns),
    MEMBER("stolen", "stolen", LAYOUT_COUNT, false, discarded.stolen_ns),
    MEMBER("why", "why", LAYOUT_STRING, false, discarded.why),
};

static const struct layout_member source_members[] = {
    MEMBER("path", "path", LAYOUT_STRING, true, source.path),
    MEMBER("sha256", "sha256", LAYOUT_STRING, false, source.sha256),
    MEMBER("md5", "md5", LAYOUT_STRING, false, source.md5),
};

static const struct layout_member wait_members[] = {
    MEMBER("class", "class", LAYOUT_STRING, true, wait.class),
    MEMBER("place", "place", LAYOUT_STRING, false, wait.place),
    MEMBER("count", "count", LAYOUT_COUNT, true, wait.count),
    MEMBER("time", "time", LAYOUT_COUNT, true, wait.time_ns),
    MEMBER("baseline_ns", "baseline-ns", LAYOUT_COUNT, false, wait.baseline_ns),
};

static const struct layout_member wake_members[] = {
    MEMBER("class", "class", LAYOUT_STRING, true, wake.class),
    MEMBER("place", "place", LAYOUT_STRING, false, wake.place),
    MEMBER("by", "by", LAYOUT_STRING, true, wake.by),
    MEMBER("after_class", "after-class", LAYOUT_STRING, false, wake.after_class),
    MEMBER("after_place", "after-place", LAYOUT_STRING, false, wake.after_place),
    MEMBER("count", "count", LAYOUT_COUNT, true, wake.count),
    MEMBER("time", "time", LAYOUT_COUNT, true, wake.time_ns),
};

static const struct layout_member await_members[] = {
    MEMBER("location", "location", LAYOUT_STRING, true, await.location),
    MEMBER("kind", "kind", LAYOUT_STRING, false, await.kind),
    MEMBER("class", "class", LAYOUT_STRING, true, await.class),
    MEMBER("place", "place", LAYOUT_STRING, false, await.place),
    MEMBER("time", "time", LAYOUT_COUNT, true, await.time_ns),
};

static const struct layout_member stack_members[] = {
    MEMBER("location", "location", LAYOUT_STRING, true, stack.location),
    MEMBER("kind", "kind", LAYOUT_STRING, false, stack.kind),
    MEMBER("count", "count", LAYOUT_COUNT, true, stack.count),
    MEMBER("frames", "frames", LAYOUT_STRING, true, stack.frames),
};

static const struct layout_member remark_members[] = {
    MEMBER("at", "at", LAYOUT_COUNT, false, remark.at_ns),
    MEMBER("text", "text", LAYOUT_STRING, true, remark.text),
    MEMBER("remedy", "remedy", LAYOUT_STRING, false, remark.remedy),
};

#define LAYOUT(name, type, members)                                                                          \
    {                                                                                                        \
        name, type, members, sizeof members / sizeof members[0]                                              \
    }

static const struct layout layouts[] = {
    LAYOUT("startup", PROFILE_STARTUP, startup_members),
    LAYOUT("experiment", PROFILE_EXPERIMENT, experiment_members),
    LAYOUT("throughput-point", PROFILE_THROUGHPUT, throughput_members),
    LAYOUT("latency-point", PROFILE_LATENCY, latency_members),
    LAYOUT("runtime", PROFILE_RUNTIME, runtime_members),
    LAYOUT("samples", PROFILE_SAMPLES, samples_members),
    LAYOUT("process-point", PROFILE_PROCESS_POINT, process_point_members),
    LAYOUT("process-latency", PROFILE_PROCESS_LATENCY, process_latency_members),
    LAYOUT("latency-times", PROFILE_LATENCY_TIMES, latency_times_members),
    LAYOUT("process", PROFILE_PROCESS, process_members),
    LAYOUT("discarded", PROFILE_DISCARDED, discarded_members),
    LAYOUT("source", PROFILE_SOURCE, source_members),
    LAYOUT("wait", PROFILE_WAIT, wait_members),
    LAYOUT("wake", PROFILE_WAKE, wake_members),
    LAYOUT("await", PROFILE_AWAIT, await_members),
    LAYOUT("stack", PROFILE_STACK, stack_members),
    LAYOUT("remark", PROFILE_REMARK, remark_members),
};

static bool is_called(const char *name, size_t length, const char *expected)
{
    return strlen(expected) == length && memcmp(expected, name, length) == 0;
}

const struct layout *layout_by_name(const char *name, size_t length)
{
    if (is_called(name, length, "progress-point")) /* of the original's first versions */
        return layout_by_type(PROFILE_THROUGHPUT);
    for (size_t i = 0; i < sizeof layouts / sizeof layouts[0]; i++)
        if (is_called(name, length, layouts[i].name))
            return &layouts[i];
    return NULL;
}

const struct layout *layout_by_type(enum profile_type type)
{
    for (size_t i = 0; i < sizeof layouts / sizeof layouts[0]; i++)
        if (layouts[i].type == type)
            return &layouts[i];
    return NULL;
}

static void *find_place(struct profile_record *record, const struct layout_member *member)
{
    return (char *)record + member->offset;
}

const char *layout_set_count(struct profile_record *record, const struct layout_member *member,
                             uint64_t value)
{
    if (member->kind != LAYOUT_COUNT)
        return layout_set_real(record, member, (double)value);
    memcpy(find_place(record, member), &value, sizeof value);
    /* Only our own windows have a block number, and 0 is one. */
    if (record->type == PROFILE_EXPERIMENT && find_place(record, member) == (void *)&record->experiment.block)
        record->experiment.has_block = true;
    return NULL;
}

const char *layout_set_real(struct profile_record *record, const struct layout_member *member, double value)
{
    switch (member->kind) {
    case LAYOUT_STRING:
        return "is a number where text is expected";
    case LAYOUT_COUNT:
        /* Other tools write whole numbers as 1e9 or 3.0. */
        if (!isfinite(value))
            return "is not a finite number";
        if (value < 0)
            return "is negative";
        if (value >= 0x1p63)
            return "is too large";
        if (value != floor(value))
            return "is not a whole number";
        return layout_set_count(record, member, (uint64_t)value);
    case LAYOUT_NUMBER:
        if (!isfinite(value))
            return "is not a finite number";
        if (value < 0)
            return "is negative";
        break;
    case LAYOUT_SPEEDUP:
        if (!isfinite(value))
            return "is not a finite number";
        if (value > 1 || value < SPEEDUP_MIN)
            return "is not a speedup (0.25 means a quarter faster)";
        break;
    }
    memcpy(find_place(record, member), &value, sizeof value);
    return NULL;
}
