/* In a process of a run of `coz regions`: does what it is told, from the library's loading to the process's exit. */
#include "regions/told.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct experiment experiment;
static struct call call;
static pid_t process; /* that answers; 0: nobody does */

bool told_is(void)
{
    return getenv(TOLD_TRIAL) != NULL;
}

/* False: it makes no sense. */
static bool read_trial(const char *text)
{
    char method[16], kind[16];
    double share;
    int read = 0;
    if (sscanf(text, "%15s %15s %lf%n", method, kind, &share, &read) != 3 || text[read] != ' ')
        return false;
    enum trial_kind what = strcmp(kind, "region") == 0    ? TRIAL_REGION
                           : strcmp(kind, "control") == 0 ? TRIAL_CONTROL
                                                          : TRIAL_BASELINE;
    const struct region *target = what == TRIAL_REGION ? region_named(text + read + 1) : NULL;
    experiment = experiment_for(what, strcmp(method, "simple") == 0, share, target);
    return true;
}

__attribute__((constructor)) static void begin(void)
{
    const char *trial = getenv(TOLD_TRIAL);
    if (!trial || !getenv(TOLD_ANSWER) || !read_trial(trial))
        return;
    process = getpid();
    call_begin(&call, &experiment);
}

/* As one write, for other processes of the run may answer, too. */
static void append(const struct answer *answer)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return;
    told_write(out, answer);
    int fd = fclose(out) == 0 ? open(getenv(TOLD_ANSWER), O_WRONLY | O_APPEND | O_CLOEXEC) : -1;
    /* Half an answer is noticed by whoever reads it. */
    if (fd >= 0 && write(fd, text, size) < 0)
        size = 0;
    if (fd >= 0)
        close(fd);
    free(text);
}

/* A child of a fork has its parent's memory, and nothing to say. */
__attribute__((destructor)) static void end(void)
{
    if (process == 0 || process != getpid() || !getenv(TOLD_ANSWER))
        return;
    call_end(&call);
    struct answer answer = {(long)process, experiment_time_ns(&experiment, &call), NULL, 0};
    answer.findings = find_all(NULL, 0, call.tick_ns, &answer.count);
    if (answer.count > 0)
        append(&answer);
    free(answer.findings);
}
