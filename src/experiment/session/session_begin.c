/* Making everything ready before the program starts. */
#include "experiment/session/session_parts.h"

#include "base/clock.h"
#include "diagnosis/diagnose.h"
#include "experiment/facts/program_file.h"
#include "experiment/points/publish.h"
#include "experiment/targets/history.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A profile holds runs of one build, unless the user knows better. */
static int check_build(struct session *session, struct coz_error *err)
{
    const char *output = session->options.output;
    if (build_identify(session->program, session->build_id, NULL) || session->options.mixes_builds)
        return 0;
    int rc = history_check_build(output, session->program, session->build_id, err);
    if (rc == -EINVAL && !session->options.output_is_given)
        rc = history_set_aside(output, session->aside, err);
    return rc;
}

/* What libcoz.so cannot get into, or sees nothing of, is not run for nothing. */
static int refuse_program(struct session *session, struct coz_error *err)
{
    session->watching.kind = program_file_kind(session->program);
    struct facts facts = {.file = {.path = session->program, .kind = session->watching.kind}};
    struct findings findings;
    diagnose(&facts, &findings);
    if (!findings_stop(&findings))
        return 0;
    return error_set(err, ENOEXEC, "%s %s", findings.list[0].what, findings.list[0].remedy);
}

/* The program, the profile that it may go into, and the runtime. */
static int find_files(struct session *session, struct coz_error *err)
{
    char runtime[PATH_MAX];
    int rc = launch_find_program(session->argv[0], session->program, err);
    if (rc == 0)
        rc = refuse_program(session, err);
    if (rc == 0 && session->options.counts_only)
        build_identify(session->program, session->build_id, NULL);
    else if (rc == 0)
        rc = check_build(session, err);
    if (rc == 0)
        rc = launch_find_runtime(program_file_is_of_musl(session->program), runtime, err);
    return rc ? rc : launch_link_runtime(runtime, &session->runtime, err);
}

/* What the runtime is told at its start. */
static int make_segment(struct session *session, struct coz_error *err)
{
    const struct session_options *options = &session->options;
    int rc = segment_create(&session->owner, err);
    if (rc)
        return rc;
    struct segment *segment = session->owner.segment;
    session->progress.segment = segment;
    segment->period_ns = options->period_ns;
    segment->want_sampler = options->sampler;
    segment->granularity = options->granularity;
    segment->follow = options->follow;
    segment->counts_only = options->counts_only;
    session->names = (struct target_names){&session->sites, segment, &session->groups};
    return 0;
}

/* The program's lines and functions, and which of them may be targets. */
static int read_program(struct session *session, struct coz_error *err)
{
    const struct session_options *options = &session->options;
    session->modules = modules_start(&session->owner, &options->scope, &session->sites);
    if (!session->modules)
        return error_set(err, ENOMEM, "no thread to read debug information with");
    bool may_fall_back =
        !options->granularity_is_given && options->fixed.count == 0 && options->waits.count == 0;
    struct region_targets *regions = &session->options.regions;
    if (modules_publish_program(session->modules, session->program, may_fall_back, &session->info, NULL) == 0)
        session->watching.is_read = scope_has_binary(&options->scope, session->program, true);
    else
        session->info.status = DEBUGINFO_NO_LINES; /* a script, say; what it runs will ask for itself */
    int rc = fixed_targets_resolve(&options->fixed, &session->names, &session->groups, &session->sites,
                                   session_targets(session), err);
    session->waits = options->waits;
    regions->beside = may_fall_back && !regions->count && !regions->only;
    session->waits.largest = regions->beside && !options->waits.all && !options->end_to_end &&
                             session->owner.segment->granularity == GRANULARITY_LINE;
    if (rc == 0)
        rc = wait_targets_resolve(&session->waits, &session->sites, session->owner.segment,
                                  session_targets(session), err);
    if (rc == 0)
        rc = region_targets_resolve(regions, session->owner.segment, session_targets(session), err);
    if (rc == 0)
        history_remember_draws(session_targets(session), options->output, &session->names);
    return rc;
}

static int open_profile(struct session *session, struct coz_error *err)
{
    int rc = profile_writer_open(&session->writer, session->options.output, session->options.format,
                                 &session->appends, err);
    return rc == -ENOENT ? -ENOTDIR : rc; /* its folder, and not the program */
}

static struct schedule_inputs inputs_of(struct session *session)
{
    return (struct schedule_inputs){
        .blocks = {.segment = session->owner.segment,
                   .owner = &session->owner,
                   .names = &session->names,
                   .speedups = session->options.speedups,
                   .speedup_count = session->options.speedup_count},
        .heartbeat = &session->heartbeat,
        .families = session->families,
        .sink = session_record,
        .context = session,
    };
}

static int serve_breakpoints(struct session *session, struct coz_error *err)
{
    if (!atomic_load(&session->owner.segment->breakpoints.count))
        return 0;
    session->families = families_new(session->owner.segment);
    return session->families ? 0 : error_set(err, ENOMEM, "out of memory");
}

int session_begin(struct session **out, const struct session_options *options, char **argv,
                  struct coz_error *err)
{
    struct session *session = calloc(1, sizeof *session);
    *out = session;
    if (session)
        session->progress.analysis = options->analysis ? options->analysis : analysis_new();
    if (!session || !session->progress.analysis)
        return error_set(err, ENOMEM, "out of memory");
    session->options = *options;
    session->argv = argv;
    session->owner.fd = -1;
    site_set_init(&session->sites, SEGMENT_SITES);
    session->schedule.results.blocks.seed = options->seed ? options->seed : clock_read_ns(CLOCK_REALTIME);
    int rc = find_files(session, err);
    if (rc == 0)
        rc = make_segment(session, err);
    if (rc == 0 && !options->counts_only)
        rc = read_program(session, err);
    if (rc == 0)
        rc = points_publish(&session->owner, session->program, options->points, options->point_count, err);
    if (rc == 0)
        rc = serve_breakpoints(session, err);
    if (rc == 0 && !options->counts_only)
        rc = open_profile(session, err);
    session->inputs = inputs_of(session);
    return rc;
}

int session_write_startup(struct session *session)
{
    struct profile_record record = {.type = PROFILE_STARTUP};
    record.startup.time_ns = session->started_wall_ns = clock_read_ns(CLOCK_REALTIME);
    record.startup.program = session->program;
    record.startup.build_id = session->build_id;
    if (session->owner.segment->granularity != GRANULARITY_LINE)
        record.startup.granularity = target_run_kind(&session->names);
    if (session->options.sampler != SAMPLER_NONE)
        record.startup.sampler = session->options.sampler == SAMPLER_PERF ? "perf" : "timer";
    struct machine machine = machine_describe();
    record.startup.cores = machine.cores;
    record.startup.allowed = machine.allowed < machine.cores ? machine.allowed : 0;
    record.startup.model = machine.model;
    record.startup.load = machine.load;
    session->watch = machine_watch_begin();
    int rc = session_record(session, &record);
    session_write_remarks(session);
    return rc;
}
