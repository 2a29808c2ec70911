/* The controller's loop. */
#include "experiment/session/session_parts.h"

#include "base/clock.h"
#include "experiment/points/calls.h"
#include "experiment/points/publish.h"
#include "experiment/schedule/end_to_end.h"
#include "experiment/session/wishes.h"

#include <linux/futex.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static const uint64_t look_every_ns = 20000000, look_seldom_ns = 50000000, tick_every_ns = 100000000,
                      tick_late_ns = 400000000;

/* Readers of the older form need not know of processes, nor of what we tell beside windows. */
static bool is_of_lines_only(enum profile_type type)
{
    return type == PROFILE_PROCESS_POINT || type == PROFILE_PROCESS_LATENCY || type == PROFILE_PROCESS ||
           type == PROFILE_DISCARDED || type == PROFILE_SOURCE || type == PROFILE_WAIT ||
           type == PROFILE_WAKE || type == PROFILE_AWAIT || type == PROFILE_LATENCY_TIMES ||
           type == PROFILE_STACK || type == PROFILE_REMARK;
}

int session_record(void *context, const struct profile_record *record)
{
    struct session *session = context;
    if (session->options.counts_only)
        return 0;
    if (session->options.format == PROFILE_TAB_SEPARATED && is_of_lines_only(record->type))
        return 0;
    int rc = profile_write(session->writer, record, &session->write_error);
    return rc ? rc : analysis_add(session->progress.analysis, record);
}

/* Sleeps until there is news, since those that had been seen, or until then. */
static void wait_for_news(struct segment *segment, uint32_t seen, uint64_t until_ns)
{
    uint64_t now = clock_wall_ns();
    if (until_ns <= now)
        return;
    struct timespec time = {.tv_nsec = (long)(until_ns - now)};
    syscall(SYS_futex, &segment->news, FUTEX_WAIT, seen, &time, NULL, 0);
}

/* What processes have asked about code. A target that was to come late may come with it. */
static void serve_code(struct session *session)
{
    uint32_t known = session->sites.count;
    if (!session->modules)
        return;
    modules_serve(session->modules);
    if (session->sites.count != known)
        fixed_targets_look(&session->options.fixed, &session->names, &session->groups,
                           session_targets(session));
    wait_targets_look(&session->waits, &session->sites, session->owner.segment, session_targets(session));
    region_targets_look(&session->options.regions, &session->sites, session->owner.segment,
                        session_targets(session));
}

static void try_nothing(struct segment *segment)
{
    atomic_store(&segment->next_target, segment_target_make(0, 0));
    atomic_store(&segment->target, segment_target_make(0, 0));
}

/* The program is not ours to end: it goes on, and nobody is delayed any more. */
static void end_experiments(struct session *session, int failure)
{
    session->failure = failure;
    try_nothing(session->owner.segment);
    heartbeat_stop(&session->heartbeat);
}

/* The program is asked to end: it does so undelayed. */
static void let_go(struct segment *segment)
{
    if (atomic_load(&segment->is_ending))
        return;
    try_nothing(segment);
    atomic_store(&segment->is_ending, 1);
}

/* Who has just been executed waits for it, and must not wait for long. */
static void serve_families(struct session *session)
{
    if (session->families)
        families_serve(session->families);
}

static bool has_windows(const struct session *session)
{
    return !session->options.end_to_end && !session->options.counts_only && !session->failure &&
           !atomic_load(&session->owner.segment->is_ending);
}

static void step_schedule(struct session *session, uint64_t now, uint64_t *look_ns)
{
    if (!has_windows(session))
        return;
    int rc = schedule_step(&session->schedule, now, look_ns);
    if (rc)
        end_experiments(session, rc);
}

/* The call that looks most like a unit of work becomes a point, if that was wished. */
static void take_point(struct session *session)
{
    struct trial_call calls[TRIAL_MOST];
    if (!session->options.auto_point || trial_rank(&session->trial, calls) == 0)
        return;
    snprintf(session->auto_point, sizeof session->auto_point, "call:%s", call_name(calls[0].call));
    if (points_add_call(session->owner.segment, calls[0].call, session->auto_point, NULL))
        session->auto_point[0] = '\0';
}

/* What the listener does takes milliseconds: it is let wait until no window is about to end, but not for ever. */
static bool is_time_to_tick(const struct session *session, uint64_t next_tick_ns, uint64_t now)
{
    if (now < next_tick_ns)
        return false;
    return !has_windows(session) || schedule_is_at_leisure(&session->schedule, now) ||
           now >= next_tick_ns + tick_late_ns;
}

/* Each look takes a core for a moment that the program may want. Before a point is visited there is little to do. */
static uint64_t look_period_ns(const struct session *session)
{
    return session->trial.state == TRIAL_GOES_ON ? look_seldom_ns : look_every_ns;
}

/* Until the program and what it started have ended. Each time round: the end, the code, wishes, the windows. */
static void steer_run(struct session *session, void (*on_tick)(void *), void *context, int *wait_status)
{
    struct segment *segment = session->owner.segment;
    uint64_t next_tick_ns = 0;
    for (;;) {
        uint32_t news = atomic_load(&segment->news);
        uint64_t now = clock_wall_ns(), look_ns = now + look_period_ns(session);
        heartbeat_attend(&session->heartbeat, now);
        if (ending_is_over(&session->ending, now, wait_status))
            return;
        if (ending_is_asked(&session->ending, now))
            let_go(segment);
        ending_press(&session->ending, now);
        tree_reap(&session->ending.tree, now);
        serve_families(session);
        serve_code(session);
        wishes_take(session);
        if (trial_look(&session->trial, now))
            take_point(session);
        step_schedule(session, now, &look_ns);
        if (is_time_to_tick(session, next_tick_ns, now)) {
            session_update_progress(session, now);
            on_tick(context);
            next_tick_ns = now + tick_every_ns;
        }
        if (!session->options.counts_only)
            looks_step(&session->watching.looks, segment, now, &look_ns);
        wait_for_news(segment, news, look_ns);
    }
}

/* When the program's time is over; 0: never. */
static uint64_t limit_ns(const struct session *session)
{
    double limit = session->options.duration_s;
    return limit > 0 ? session->started_ns + (uint64_t)(limit * 1e9) : 0;
}

/* What is looked at to see whether the run is over. Its end may have been asked for already. */
static void begin_ending(struct session *session)
{
    session->ending = (struct ending){
        .is_alone = session->options.follow == FOLLOW_NONE,
        .interrupts = session->options.interrupts,
        .passed_on = session->options.passed_on,
        .asked_ns = session->ending.asked_ns,
        .limit_ns = limit_ns(session),
    };
    tree_init(&session->ending.tree, &session->owner);
}

/* The program runs from here on, at that target and speedup. */
static int start_program(struct session *session, const struct end_to_end *whole, struct coz_error *err)
{
    struct segment *segment = session->owner.segment;
    int rc = heartbeat_start(&session->heartbeat, segment);
    if (rc)
        return error_set(err, -rc, "no thread for the sign of life: %s", strerror(-rc));
    atomic_store(&segment->target, target_word(&session->names, whole->site, whole->permille));
    atomic_store(&segment->active, 1);
    pid_t pid = launch(&session->owner, &session->runtime, session->program, session->argv, err);
    if (pid < 0)
        return pid;
    session->ending.pid = pid;
    watch_begin(&session->watching.machine, pid, session->started_ns);
    looks_begin(&session->watching.looks, session->started_ns, session->schedule.results.blocks.seed);
    schedule_begin(&session->schedule, &session->inputs, session->started_ns);
    return 0;
}

/* The last window, the run as one, and what is known only now. */
static int write_rest(struct session *session, const struct end_to_end *whole)
{
    int rc = schedule_end(&session->schedule);
    if (rc == 0 && whole->site)
        rc = end_to_end_write(whole, session->owner.segment, session_run_ns(session), &session->names,
                              session_record, session);
    return rc ? rc : session_write_end(session);
}

/* A point that comes too late for this run is one for the next. */
static void end_trial(struct session *session)
{
    bool goes_on = session->trial.state == TRIAL_GOES_ON;
    trial_end(&session->trial, session->ending.over_ns);
    if (goes_on && session->trial.state == TRIAL_OVER)
        take_point(session);
}

int session_run(struct session *session, void (*on_tick)(void *context), void *context, int *wait_status,
                struct coz_error *err)
{
    struct session_options *options = &session->options;
    struct end_to_end whole = {0};
    if (options->end_to_end)
        end_to_end_choose(&whole, options->output, &session->names, session_targets(session),
                          options->speedups, options->speedup_count, &session->schedule.results.blocks.seed);
    int rc = session_write_startup(session);
    session->started_ns = clock_wall_ns();
    begin_ending(session);
    if (rc == 0) {
        if (!options->end_to_end && !options->counts_only)
            trial_begin(&session->trial, session->owner.segment, session->started_ns);
        rc = start_program(session, &whole, err);
        if (rc)
            return rc;
        steer_run(session, on_tick, context, wait_status);
        end_trial(session);
        session->has_ended = true;
        rc = session->failure;
    }
    serve_families(session);
    heartbeat_stop(&session->heartbeat); /* nobody is delayed for a window that has no end */
    if (rc == 0 && !options->counts_only)
        rc = write_rest(session, &whole);
    session_update_progress(session, clock_wall_ns());
    session->progress.slots_left = tree_reap_all(&session->ending.tree);
    if (rc)
        return error_set(err, -rc, "%s",
                         session->write_error.text[0] ? session->write_error.text : strerror(-rc));
    return 0;
}
