/* coz run: profile a program. */
#include "cli/commands.h"
#include "cli/run_advice.h"
#include "cli/run_options.h"
#include "report/text.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t interrupts;
static volatile sig_atomic_t child_pid;

/* A terminal sends Ctrl-C to the program as well; what somebody sent to us alone is passed on. */
static void on_signal(int number, siginfo_t *info, void *context)
{
    (void)context;
    interrupts = interrupts + 1;
    if (info->si_code <= 0 && child_pid > 0)
        kill((pid_t)child_pid, number);
}

static void catch_signals(void)
{
    struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO};
    const int caught[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    for (size_t i = 0; i < sizeof caught / sizeof *caught; i++)
        sigaction(caught[i], &action, NULL);
}

struct status_line {
    struct session *session;
    bool terminal;
    unsigned ticks;
};

static int terminal_width(FILE *file)
{
    struct winsize size;
    return ioctl(fileno(file), TIOCGWINSZ, &size) == 0 && size.ws_col > 20 ? size.ws_col : 100;
}

/* The widest interval among the first five of each point: what would be gained by going on. */
static double widest_interval(struct analysis *analysis)
{
    const struct analysis_result *results;
    size_t count = analysis_results(analysis, &results);
    double widest = 0;
    for (size_t i = 0; i < count && i < 5; i++)
        if (results[i].verdict != VERDICT_TOO_LITTLE && results[i].high - results[i].low > widest)
            widest = results[i].high - results[i].low;
    return widest;
}

static void on_tick(void *context)
{
    struct status_line *line = context;
    const struct session_progress *progress = session_progress(line->session);
    child_pid = (sig_atomic_t)session_pid(line->session);
    /* The analysis takes milliseconds: the line is redrawn once a second. */
    if (!line->terminal || line->ticks++ % 10)
        return;
    char text[256], width[64] = "";
    double widest = widest_interval(progress->analysis);
    if (widest > 0)
        snprintf(width, sizeof width, ", widest interval of the leaders ±%.1f %%", 50 * widest);
    snprintf(text, sizeof text, "coz: %.0f s, %llu windows, %u targets%s%s",
             (double)progress->elapsed_ns * 1e-9, (unsigned long long)progress->windows, progress->targets,
             width, progress->points_reached ? "" : ", no progress point reached yet");
    fprintf(stderr, "\r\033[K%.*s", terminal_width(stderr) - 1, text);
    fflush(stderr);
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
        "coz: required delay %.3f s; over all threads paused %.3f s, credited on waking %.3f s, in the run "
        "queue %.3f s, "
        "own steps %.3f s, carried over %.3f s\n",
        (double)atomic_load(&segment->required_ns) * 1e-9, (double)atomic_load(&segment->paused_ns) * 1e-9,
        (double)atomic_load(&segment->credited_wake_ns) * 1e-9,
        (double)atomic_load(&segment->credited_runqueue_ns) * 1e-9,
        (double)atomic_load(&segment->own_steps_ns) * 1e-9, (double)atomic_load(&segment->carried_ns) * 1e-9);
}

static void conclude(struct session *session, const struct run_options *options)
{
    const struct session_progress *progress = session_progress(session);
    if (options->verbose)
        print_audit(progress->segment);
    if (options->verbose)
        fprintf(stderr, "coz: %llu samples, %llu in scope, %llu windows, %llu thrown away, sampled by %s\n",
                (unsigned long long)progress->samples, (unsigned long long)progress->in_scope,
                (unsigned long long)progress->windows, (unsigned long long)progress->discarded,
                progress->sampler == SAMPLER_PERF ? "perf events" : "timer");
    if (options->session.end_to_end)
        fprintf(stderr,
                "coz: this run was one experiment; run it some twenty times or more, then `coz report %s`\n",
                options->session.output);
    else if (advice_after(stderr, session)) {
        report_top(stderr, progress->analysis, 5, terminal_width(stderr));
        fprintf(stderr, "coz: `coz report %s` has the whole answer\n", options->session.output);
    }
}

int cmd_run(int argc, char **argv)
{
    struct run_options options;
    struct session *session = NULL;
    struct coz_error err = {""};
    int rc = run_options_parse(&options, argc, argv);
    if (rc >= 0)
        return rc;
    options.session.interrupts = &interrupts;
    rc = session_begin(&session, &options.session, options.program, &err);
    if (rc) {
        fprintf(stderr, "coz run: %s\n", err.text);
        session_end(session);
        return rc == -EINVAL ? 2 : rc == -ENOENT ? 127 : 126;
    }
    if (session_appends(session))
        fprintf(stderr, "coz: %s holds earlier runs; this one is appended\n", options.session.output);
    advice_before(stderr, session);
    catch_signals();
    struct status_line line = {.session = session, .terminal = isatty(STDERR_FILENO)};
    int wait_status = 0;
    rc = session_run(session, on_tick, &line, &wait_status, &err);
    if (line.terminal)
        fputs("\r\033[K", stderr);
    if (rc) {
        fprintf(stderr, "coz run: %s\n", err.text);
        session_end(session);
        return rc == -ENOENT ? 127 : 126;
    }
    conclude(session, &options);
    int status = session_timed_out(session) ? 0 : shell_status(wait_status);
    session_end(session);
    return status;
}
