#include "selftest/truth.h"

#include "base/clock.h"
#include "base/random.h"
#include "stats/estimate/estimate.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static int start_workload(char **argv, int *output, pid_t *pid)
{
    int ends[2];
    posix_spawn_file_actions_t actions;
    if (pipe2(ends, O_CLOEXEC))
        return errno;
    int code = posix_spawn_file_actions_init(&actions);
    if (!code) {
        code = posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
        if (!code)
            code = posix_spawn(pid, argv[0], &actions, NULL, argv, environ);
        posix_spawn_file_actions_destroy(&actions);
    }
    close(ends[1]);
    *output = ends[0];
    if (code)
        close(ends[0]);
    return code;
}

/* What the program prints, until it ends. Returns false when it was interrupted, or does not end. */
static bool read_output(int output, double until_s, char *text, size_t size,
                        const volatile sig_atomic_t *interrupts)
{
    size_t length = 0;
    while (clock_wall_s() < until_s && !(interrupts && *interrupts)) {
        struct pollfd wait = {.fd = output, .events = POLLIN};
        int ready = poll(&wait, 1, 200);
        if (ready <= 0)
            continue;
        ssize_t got = read(output, text + length, size - 1 - length);
        if (got > 0 && (length += (size_t)got) < size - 1)
            continue;
        text[length] = '\0';
        return got >= 0;
    }
    return false;
}

/* Runs the command and keeps what it prints. */
static int run_workload(char **argv, double seconds, char *text, size_t size,
                        const volatile sig_atomic_t *interrupts, struct coz_error *err)
{
    int output = -1, status;
    pid_t pid;
    int code = start_workload(argv, &output, &pid);
    if (code)
        return error_set(err, code, "%s: %s", argv[0], strerror(code));
    bool ended = read_output(output, clock_wall_s() + seconds + SELFTEST_PATIENCE_S, text, size, interrupts);
    close(output);
    if (!ended)
        kill(pid, SIGKILL);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    if (interrupts && *interrupts)
        return error_set(err, EINTR, "interrupted");
    if (!ended)
        return error_set(err, ETIMEDOUT, "the program `%s` of the selftest does not end", argv[1]);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        return error_set(err, EPROTO, "the program `%s` of the selftest failed (status %#x)", argv[1],
                         (unsigned)status);
    return 0;
}

/* Seconds per visit of one run with the line cut by half (NULL: the original), or NAN. */
static int timed_run(const char *workload, struct selftest_line lines[2], const char *line, double seconds,
                     const struct selftest_options *options, double *per_visit, struct coz_error *err)
{
    char program[32], time[32], text[512], path[PATH_MAX];
    char cut[] = "cut", half[] = "50", name[16] = "";
    snprintf(path, sizeof path, "%s", workload);
    snprintf(program, sizeof program, "%s", lines[0].program);
    snprintf(time, sizeof time, "%.3f", seconds);
    snprintf(name, sizeof name, "%s", line ? line : "");
    char *argv[] = {path, program, time, line ? cut : NULL, name, half, NULL};
    int rc = run_workload(argv, seconds, text, sizeof text, options->interrupts, err);
    if (rc)
        return rc;
    unsigned long visits;
    double elapsed;
    if (sscanf(text, "visits %lu seconds %lf line %15s %u line %15s %u", &visits, &elapsed, lines[0].name,
               &lines[0].number, lines[1].name, &lines[1].number) != 6 ||
        visits == 0)
        return error_set(err, EPROTO, "the program `%s` of the selftest does not say what it did", program);
    *per_visit = elapsed / (double)visits;
    return 0;
}

/* The original and both cuts. The first of all runs is the original, since it tells the names of the lines.
 */
static int run_round(struct truth *truth, const char *workload, struct selftest_line lines[2], double seconds,
                     const struct selftest_options *options, uint64_t *seed, struct coz_error *err)
{
    int order[3] = {0, 1, 2}; /* 0: the original; else the line that is cut, from 1 */
    double time[3];
    for (size_t i = 2; i > 0 && truth->rounds > 0; i--) {
        size_t j = (size_t)(random_next(seed) % (i + 1));
        int swap = order[i];
        order[i] = order[j];
        order[j] = swap;
    }
    for (size_t i = 0; i < 3; i++) {
        const char *line = order[i] ? lines[order[i] - 1].name : NULL;
        int rc = timed_run(workload, lines, line, seconds, options, &time[order[i]], err);
        if (rc)
            return rc;
    }
    for (size_t line = 0; line < 2; line++)
        truth->ratios[line][truth->rounds] = log(time[line + 1] / time[0]);
    truth->rounds++;
    return 0;
}

int truth_measure(struct truth *truth, size_t rounds, double seconds, const char *workload,
                  struct selftest_line lines[2], const struct selftest_options *options,
                  struct coz_error *err)
{
    uint64_t seed = 1 + truth->rounds;
    for (size_t i = 0; i < rounds && truth->rounds < TRUTH_ROUNDS; i++) {
        int rc = run_round(truth, workload, lines, seconds, options, &seed, err);
        if (rc)
            return rc;
    }
    return 0;
}

struct selftest_effect truth_effect(const struct truth *truth, size_t line)
{
    struct estimate centre = estimate_centre(truth->ratios[line], truth->rounds, 0.95, 1);
    /* More time is less effect: the ends change places. */
    return (struct selftest_effect){effect_of_log_ratio(centre.value), effect_of_log_ratio(centre.high),
                                    effect_of_log_ratio(centre.low)};
}
