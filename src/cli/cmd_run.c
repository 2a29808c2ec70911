/* coz run: profile a program. */
#include "base/clock.h"
#include "base/signals.h"
#include "cli/commands.h"
#include "cli/plot/live_child.h"
#include "cli/run/advice.h"
#include "cli/run/status.h"
#include "cli/run/words.h"
#include "cli/run_options.h"
#include "cli/run_usage.h"
#include "report/text.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

static volatile sig_atomic_t interrupts;
static _Atomic uint32_t passed_on;

/* A terminal sends Ctrl-C to the program as well; what somebody sent to us alone is passed on, by who knows
 * whether the program is still there. */
static void on_signal(int number, siginfo_t *info, void *context)
{
    (void)context;
    interrupts = interrupts + 1;
    if (info->si_code <= 0)
        atomic_fetch_or(&passed_on, 1u << number);
}

/* That it came ends a wait that would have gone on for milliseconds after the program. */
static void on_child(int number)
{
    (void)number;
}

/* The call that brought it fails, and that is all. */
static void on_failed_write(int number)
{
    (void)number;
}

/* That nobody reads our words any more, or that a file is as long as it may be, ends no profile. The program
 * is to know nothing of it: a handler, unlike SIG_IGN, is gone when it is executed. */
static void outlive_writes(void)
{
    struct sigaction action = {.sa_handler = on_failed_write, .sa_flags = SA_RESTART};
    signals_catch((const int[]){SIGPIPE, SIGXFSZ}, 2, &action);
}

static void catch_signals(void)
{
    struct sigaction child = {.sa_handler = on_child, .sa_flags = SA_RESTART | SA_NOCLDSTOP};
    sigaction(SIGCHLD, &child, NULL);
    struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO};
    signals_catch((const int[]){SIGINT, SIGTERM, SIGHUP, SIGQUIT}, 4, &action);
}

struct listening {
    struct series *series;
    const struct live_child *page; /* that shows it */
    struct status status;
    struct advice advice;
    bool told_of_daemon, told_of_failure, told_of_calls;
};

/* A terminal that takes nothing at the moment (Ctrl-S) is not waited for: the next window would be. */
static bool takes_words(FILE *file)
{
    struct pollfd terminal = {.fd = fileno(file), .events = POLLOUT};
    return poll(&terminal, 1, 0) > 0 && terminal.revents & POLLOUT;
}

static void on_begin(void *context, struct session *session, unsigned run)
{
    struct listening *line = context;
    atomic_store(&passed_on, 0); /* it was meant for the last run */
    if (run > 1)
        return;
    if (*session_set_aside(session))
        fprintf(stderr, "coz: %s was of another program or build; it is now %s\n",
                line->series->options.session.output, session_set_aside(session));
    if (session_appends(session))
        fprintf(stderr, "coz: %s holds earlier runs; this one is appended\n",
                line->series->options.session.output);
    advice_before(stderr, &line->advice, session);
    catch_signals();
    live_child_begin(line->page);
}

/* True once, when it is so and can be said. */
static bool is_news(bool so, bool *told, struct listening *line)
{
    if (!so || *told || !takes_words(stderr))
        return false;
    *told = true;
    status_clear(&line->status);
    return true;
}

/* What the user should know at once. */
static void tell_news(struct listening *line, const struct session *session,
                      const struct session_progress *progress)
{
    const char *failure = session_failure(session);
    if (is_news(progress->daemon, &line->told_of_daemon, line))
        fprintf(
            stderr,
            "coz: the program goes on as a daemon (process %d), and is profiled until that ends; Ctrl-C ends the profile only\n",
            (int)progress->daemon);
    if (is_news(failure, &line->told_of_failure, line))
        fprintf(stderr, "coz: %s: the program goes on without being profiled\n", failure);
}

/* What stands in the way, as soon as it is known. Of runs that are repeated, in the first. */
static void tell_findings(struct listening *line, struct session *session)
{
    struct findings findings;
    if (line->series->runs > 1 || session_failure(session) || !takes_words(stderr) ||
        !advice_look(&line->advice, session, clock_wall_ns(), &findings))
        return;
    status_clear(&line->status);
    advice_put(stderr, &line->advice, session, &findings);
}

/* Which calls could be a progress point, once it is said that there is none, or one was taken. */
static void tell_calls(struct listening *line, const struct session *session)
{
    bool is_known =
        session_trial(session) && (line->advice.told[FINDING_POINT_NEVER] || *session_auto_point(session));
    if (is_news(is_known && !session_failure(session), &line->told_of_calls, line))
        advice_on_calls(stderr, session);
}

static void on_tick(void *context, struct session *session)
{
    struct listening *line = context;
    tell_news(line, session, session_progress(session));
    tell_findings(line, session);
    tell_calls(line, session);
    status_update(&line->status, session);
}

static int shell_status(int wait_status)
{
    if (WIFEXITED(wait_status))
        return WEXITSTATUS(wait_status);
    return WIFSIGNALED(wait_status) ? 128 + WTERMSIG(wait_status) : 1;
}

/* Where the delay went: what no thread paused for was credited, or was the target's own. */
static void print_audit(const struct segment *segment)
{
    fprintf(
        stderr,
        "coz: required delay %.3f s; over all threads paused %.3f s, credited on waking %.3f s, in the run queue %.3f s, own steps %.3f s, carried over %.3f s\n",
        (double)atomic_load(&segment->due.required_ns) * 1e-9,
        (double)atomic_load(&segment->paused_ns) * 1e-9,
        (double)atomic_load(&segment->credited_wake_ns) * 1e-9,
        (double)atomic_load(&segment->credited_runqueue_ns) * 1e-9,
        (double)atomic_load(&segment->own_steps_ns) * 1e-9, (double)atomic_load(&segment->carried_ns) * 1e-9);
}

static void print_visits(const struct segment *segment)
{
    for (uint32_t i = 0; i < SEGMENT_POINTS && segment_point_is_taken(&segment->points[i]); i++)
        fprintf(stderr, "coz: %" PRIu64 " visits of `%s`%s\n", atomic_load(&segment->points[i].count),
                segment->points[i].name, segment->points[i].is_breakpoint ? ", by a breakpoint" : "");
}

/* Whether there is an answer to speak of; says so if not, and what else the user should know. */
static bool has_answer(struct listening *line, const char *output, char *const *argv)
{
    const struct series *series = line->series;
    if (series->end != SERIES_SURE || series->total.windows)
        return advice_after(stderr, &line->advice, series->session, series->runs, &series->total, argv);
    fprintf(stderr, "coz: %s holds enough for --until-ci already: the program was ended at once\n", output);
    return true;
}

static void conclude(struct listening *line, const struct run_options *options, char *const *argv)
{
    const struct series *series = line->series;
    const struct session_progress *total = &series->total;
    if (options->verbose)
        print_audit(total->segment);
    if (options->verbose)
        print_visits(total->segment);
    if (options->verbose)
        fprintf(stderr, "coz: %llu samples, %llu in scope, %llu windows, %llu thrown away, sampled by %s\n",
                (unsigned long long)total->samples, (unsigned long long)total->in_scope,
                (unsigned long long)total->windows, (unsigned long long)total->discarded,
                total->sampler == SAMPLER_PERF ? "perf events" : "timer");
    if (options->verbose)
        fprintf(stderr,
                "coz: %" PRIu32 " threads in %" PRIu32 " processes, in up to %" PRIu32 " slots; %" PRIu32
                " of them left over\n",
                atomic_load(&total->segment->threads), atomic_load(&total->segment->processes),
                atomic_load(&total->segment->thread_slots_used), total->slots_left);
    if (session_killed(series->session))
        fputs("coz: the program did not end within 5 seconds of SIGTERM, and was killed\n", stderr);
    words_on_breakpoints(stderr, total);
    words_on_end(stderr, series);
    bool whole = options->series.session.end_to_end;
    if (whole && series->runs == 1)
        fprintf(
            stderr,
            "coz: this run was one experiment; have some twenty or more (--runs 20), then `coz report %s`\n",
            options->series.session.output);
    else if (whole || has_answer(line, options->series.session.output, argv)) {
        report_top(stderr, series->analysis, 5, 0);
        words_on_certainty(stderr, series);
        fprintf(stderr, "coz: `coz report %s` has the whole answer\n", options->series.session.output);
    }
}

/* The page's server forks off before there is anything that it must not have. */
static void start_page(struct live_child *page, struct run_options *options)
{
    const struct live_options live = {(char *)options->series.session.output, options->live_port,
                                      options->opens_browser, options->series.session.mixes_builds};
    if (options->is_live && live_child_start(page, &live))
        options->series.session.wishes = page->socket;
}

int cmd_run(int argc, char **argv)
{
    struct run_options options;
    struct series series;
    outlive_writes();
    struct coz_error err = {""};
    static const struct run_command command = {"run", run_usage, true};
    int rc = run_options_parse(&options, &command, argc, argv);
    if (rc >= 0)
        return rc;
    options.series.session.interrupts = &interrupts;
    options.series.session.passed_on = &passed_on;
    struct live_child page = {0};
    start_page(&page, &options);
    struct listening line = {.series = &series, .page = &page};
    status_init(&line.status, &series, options.quiet);
    struct series_listener listener = {on_begin, on_tick, &line};
    rc = series_run(&series, &options.series, options.program, &listener, &err);
    status_clear(&line.status);
    int status = 0;
    if (rc) {
        fprintf(stderr, "coz run: %s\n", err.text);
        status = rc == -EINVAL ? 2 : rc == -ENOENT ? 127 : 126;
    } else {
        conclude(&line, &options, argv);
        status = session_stopped(series.session) ? 0 : shell_status(series.wait_status);
    }
    series_release(&series);
    live_child_end(&page);
    return status;
}
