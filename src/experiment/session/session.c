#include "experiment/session/session.h"

#include "base/clock.h"
#include "debuginfo/build.h"
#include "experiment/code/modules.h"
#include "experiment/schedule/end_to_end.h"
#include "experiment/schedule/schedule.h"
#include "experiment/session/ending.h"
#include "experiment/session/launch.h"
#include "experiment/session/locations.h"
#include "experiment/targets/history.h"

#include <errno.h>
#include <linux/futex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

struct session {
    struct session_options options;
    struct segment_owner owner;
    struct site_set sites;
    struct target_names names;
    struct modules *modules;
    struct debuginfo info; /* of the program itself */
    struct heartbeat heartbeat;
    struct schedule schedule;
    struct profile_writer *writer;
    struct session_progress progress;
    struct coz_error write_error;
    bool appends;
    char program[PATH_MAX];
    char aside[PATH_MAX];
    char build_id[BUILD_TEXT]; /* of the program; "" when it cannot be read */
    struct runtime_link runtime;
    char missing[400]; /* what is to be said of a target that never came */
    char **argv;
    struct ending ending;
    uint64_t started_ns;
};

/* One record goes to the file and to the live analysis. */
static int put(void *context, const struct profile_record *record)
{
    struct session *session = context;
    /* Readers of the older form need not know of processes. */
    if (session->options.format == PROFILE_TAB_SEPARATED &&
        (record->type == PROFILE_PROCESS_POINT || record->type == PROFILE_PROCESS_LATENCY ||
         record->type == PROFILE_PROCESS))
        return 0;
    int rc = profile_write(session->writer, record, &session->write_error);
    return rc ? rc : analysis_add(session->progress.analysis, record);
}

/* ---- beginning ---- */

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

static int prepare(struct session *session, char **argv, struct coz_error *err)
{
    char runtime[PATH_MAX];
    int rc = launch_find_program(argv[0], session->program, err);
    if (rc == 0)
        rc = check_build(session, err);
    if (rc == 0)
        rc = launch_find_runtime(runtime, err);
    if (rc == 0)
        rc = launch_link_runtime(runtime, &session->runtime, err);
    if (rc == 0)
        rc = segment_create(&session->owner, err);
    if (rc)
        return rc;
    struct segment *segment = session->owner.segment;
    segment->period_ns = session->options.period_ns;
    segment->want_sampler = session->options.sampler;
    segment->granularity = session->options.granularity;
    session->names = (struct target_names){&session->sites, segment};
    segment->follow = session->options.follow;
    session->modules = modules_start(&session->owner, &session->options.scope, &session->sites);
    if (!session->modules)
        return error_set(err, ENOMEM, "no thread to read debug information with");
    bool may_fall_back = !session->options.granularity_is_given && session->options.fixed.count == 0;
    if (modules_publish_program(session->modules, session->program, may_fall_back, &session->info, NULL) != 0)
        session->info.status = DEBUGINFO_NO_LINES; /* a script, say; what it runs will ask for itself */
    rc = fixed_targets_resolve(&session->options.fixed, &session->names, &session->schedule.blocks.targets,
                               err);
    if (rc == 0)
        history_remember_draws(&session->schedule.blocks.targets, session->options.output, &session->names);
    if (rc)
        return rc;
    rc = profile_writer_open(&session->writer, session->options.output, session->options.format,
                             &session->appends, err);
    return rc == -ENOENT ? -ENOTDIR : rc; /* its folder, and not the program */
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
    session->schedule.blocks.seed = options->seed ? options->seed : clock_read_ns(CLOCK_REALTIME);
    int rc = prepare(session, argv, err);
    session->progress.segment = session->owner.segment;
    return rc;
}

/* ---- running ---- */

static void update_progress(struct session *session, uint64_t now)
{
    struct session_progress *progress = &session->progress;
    struct segment *segment = session->owner.segment;
    progress->elapsed_ns = now - session->started_ns;
    progress->windows = session->schedule.windows;
    progress->discarded = session->schedule.discarded;
    progress->stolen_from = session->schedule.stolen_from;
    progress->targets = session->schedule.blocks.targets_tried;
    progress->samples = atomic_load(&segment->samples);
    progress->in_scope = atomic_load(&segment->in_scope);
    progress->daemon = session->ending.daemon;
    progress->sampler = (enum segment_sampler)atomic_load(&segment->sampler);
    progress->perf_errno = (int)atomic_load(&segment->perf_errno);
    atomic_store(&segment->refusals.sites, session->sites.refused);
    points_count(segment, &progress->points_known, &progress->points_reached);
}

/* Sleeps until an edge is taken, or until then. */
static void wait_for_edge(struct segment *segment, uint64_t until_ns)
{
    uint64_t now = clock_wall_ns();
    if (until_ns <= now)
        return;
    struct timespec time = {.tv_nsec = (long)(until_ns - now)};
    uint32_t seen = atomic_load(&segment->edge_futex);
    bool wanted = edge_is_wanted(atomic_load(&segment->edge_word));
    uint32_t word = atomic_load(&segment->edge_word);
    if (wanted && !edge_is_wanted(word))
        return;
    syscall(SYS_futex, &segment->edge_futex, FUTEX_WAIT, seen, &time, NULL, 0);
}

static int loop(struct session *session, void (*on_tick)(void *), void *context, int *wait_status)
{
    struct segment *segment = session->owner.segment;
    uint64_t next_tick = 0;
    for (;;) {
        uint64_t now = clock_wall_ns(), look = now + 20000000;
        heartbeat_attend(&session->heartbeat, now);
        if (ending_is_over(&session->ending, now, wait_status))
            return 0;
        ending_press(&session->ending, now);
        tree_reap(&session->ending.tree, now);
        uint32_t known = session->sites.count;
        modules_serve(session->modules);
        if (session->sites.count != known)
            fixed_targets_look(&session->options.fixed, &session->names, &session->schedule.blocks.targets);
        int rc = session->options.end_to_end ? 0 : schedule_step(&session->schedule, now, &look);
        if (rc)
            return rc;
        if (now >= next_tick) {
            update_progress(session, now);
            on_tick(context);
            next_tick = now + 100000000;
        }
        wait_for_edge(segment, look);
    }
}

/* Of a function that was to come late. */
static void note_missing(struct session *session)
{
    const char *name = fixed_targets_missing(&session->options.fixed, &session->names);
    const char *other = modules_note(session->modules);
    if (name)
        snprintf(session->missing, sizeof session->missing,
                 "--fixed-function %.150s: no function of that name came in this run; %.180s", name,
                 *other ? other : "without it, `coz run --granularity function` tells what names there are");
}

/* The run's last words: how long it was, and where its samples fell. */
static int finish(struct session *session)
{
    note_missing(session);
    uint64_t real = clock_wall_ns() - session->started_ns;
    struct profile_record record = {.type = PROFILE_RUNTIME};
    record.runtime.time_ns = real;
    uint64_t baseline = real - session->schedule.sped_up_ns;
    record.runtime.baseline_ns = disturbed_rest_of_run(&session->schedule.disturbed, baseline);
    record.runtime.samples = atomic_load(&session->owner.segment->in_scope);
    int rc = put(session, &record);
    if (rc == 0)
        rc = locations_write(&session->names, &session->owner, &session->options.scope,
                             &session->schedule.disturbed, baseline, put, session);
    return rc ? rc : processes_emit_all(session->owner.segment, put, session);
}

static int write_startup(struct session *session)
{
    struct profile_record record = {.type = PROFILE_STARTUP};
    record.startup.time_ns = clock_read_ns(CLOCK_REALTIME);
    record.startup.program = session->program;
    record.startup.build_id = session->build_id;
    if (session->owner.segment->granularity != GRANULARITY_LINE)
        record.startup.granularity = target_kind(&session->names);
    if (session->options.sampler != SAMPLER_NONE)
        record.startup.sampler = session->options.sampler == SAMPLER_PERF ? "perf" : "timer";
    return put(session, &record);
}

/* When the program's time is over; 0: never. */
static uint64_t limit_ns(const struct session *session)
{
    double limit = session->options.duration_s;
    return limit > 0 ? session->started_ns + (uint64_t)(limit * 1e9) : 0;
}

int session_run(struct session *session, void (*on_tick)(void *context), void *context, int *wait_status,
                struct coz_error *err)
{
    struct segment *segment = session->owner.segment;
    struct schedule *schedule = &session->schedule;
    schedule->blocks.segment = segment;
    schedule->blocks.owner = &session->owner;
    schedule->blocks.names = &session->names;
    schedule->blocks.speedups = session->options.speedups;
    schedule->blocks.speedup_count = session->options.speedup_count;
    schedule->heartbeat = &session->heartbeat;
    schedule->sink = put;
    schedule->context = session;
    struct end_to_end whole = {0};
    if (session->options.end_to_end)
        end_to_end_choose(&whole, session->options.output, &session->names, &schedule->blocks.targets,
                          session->options.speedups, session->options.speedup_count, &schedule->blocks.seed);
    int rc = write_startup(session);
    session->started_ns = clock_wall_ns();
    session->ending = (struct ending){
        .is_alone = session->options.follow == FOLLOW_NONE,
        .interrupts = session->options.interrupts,
        .passed_on = session->options.passed_on,
        .asked_ns = session->ending.asked_ns,
        .limit_ns = limit_ns(session),
    };
    tree_init(&session->ending.tree, &session->owner);
    if (rc == 0)
        rc = heartbeat_start(&session->heartbeat, segment);
    atomic_store(&segment->target, segment_target_make(whole.site, whole.permille));
    atomic_store(&segment->active, 1);
    if (rc == 0) {
        session->ending.pid =
            launch(&session->owner, &session->runtime, session->program, session->argv, err);
        if (session->ending.pid < 0)
            return session->ending.pid;
        schedule_begin(schedule, session->started_ns);
        rc = loop(session, on_tick, context, wait_status);
    }
    heartbeat_stop(&session->heartbeat); /* nobody is delayed for a window that has no end */
    if (rc == 0)
        rc = schedule_end(schedule);
    if (rc == 0 && whole.site)
        rc = end_to_end_write(&whole, segment, clock_wall_ns() - session->started_ns, &session->names, put,
                              session);
    if (rc == 0)
        rc = finish(session);
    update_progress(session, clock_wall_ns());
    session->progress.slots_left = tree_reap_all(&session->ending.tree);
    if (rc)
        return error_set(err, -rc, "%s",
                         session->write_error.text[0] ? session->write_error.text : strerror(-rc));
    return 0;
}

/* ---- asking ---- */

const struct session_progress *session_progress(struct session *session)
{
    return &session->progress;
}

bool session_appends(const struct session *session)
{
    return session->appends;
}

const char *session_set_aside(const struct session *session)
{
    return session->aside;
}

enum granularity session_granularity(const struct session *session, bool *fell_back)
{
    enum granularity granularity = (enum granularity)session->owner.segment->granularity;
    *fell_back = granularity != session->options.granularity;
    return granularity;
}

const char *session_note(const struct session *session)
{
    return session->missing[0] ? session->missing : modules_note(session->modules);
}

const struct debuginfo *session_debuginfo(const struct session *session)
{
    return &session->info;
}

void session_stop(struct session *session)
{
    ending_ask(&session->ending, clock_wall_ns());
}

bool session_stopped(const struct session *session)
{
    return session->ending.signals > 0;
}

const char *session_program(const struct session *session)
{
    return session->program;
}

const char *session_build_id(const struct session *session)
{
    return session->build_id;
}

void session_end(struct session *session)
{
    if (!session)
        return;
    heartbeat_stop(&session->heartbeat);
    if (session->writer)
        profile_writer_close(session->writer);
    schedule_release(&session->schedule);
    ending_release(&session->ending);
    launch_unlink_runtime(&session->runtime);
    modules_stop(session->modules);
    debuginfo_release(&session->info);
    site_set_release(&session->sites);
    segment_destroy(&session->owner);
    if (!session->options.analysis)
        analysis_free(session->progress.analysis);
    free(session);
}
