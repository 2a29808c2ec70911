#include "cli/regions/whole_run.h"

#include "regions/told.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { EXIT_NOT_EXECUTED = 126 };

int whole_run_init(struct whole_run *run, char **argv, bool keeps_output, struct coz_error *err)
{
    char library[PATH_MAX];
    *run = (struct whole_run){.argv = argv, .keeps_output = keeps_output, .cores = count_cores()};
    int code = launch_find_program(argv[0], run->program, err);
    if (code == 0)
        code = launch_find_library("libcozregions.so", "coz/preload", library, err);
    if (code == 0)
        code = launch_link_runtime(library, &run->library, err);
    if (code < 0)
        return code;
    const char *folder = getenv("TMPDIR");
    snprintf(run->answer, sizeof run->answer, "%s/coz-regions.XXXXXX", folder && *folder ? folder : "/tmp");
    int fd = mkstemp(run->answer);
    if (fd < 0) {
        code = error_set(err, errno, "%s: %s", run->answer, strerror(errno));
        run->answer[0] = '\0';
        return code;
    }
    close(fd);
    return 0;
}

void whole_run_release(struct whole_run *run)
{
    launch_unlink_runtime(&run->library);
    if (run->answer[0])
        unlink(run->answer);
}

static int preload(const char *library)
{
    const char *others = getenv("LD_PRELOAD");
    if (!others || !*others)
        return setenv("LD_PRELOAD", library, 1);
    size_t size = strlen(others) + strlen(library) + 2;
    char *both = malloc(size);
    if (!both)
        return -1;
    snprintf(both, size, "%s:%s", library, others);
    int code = setenv("LD_PRELOAD", both, 1);
    free(both);
    return code;
}

static _Noreturn void become_program(const struct whole_run *run, const char *trial)
{
    int null = run->keeps_output ? -1 : open("/dev/null", O_WRONLY);
    if (null >= 0)
        dup2(null, STDOUT_FILENO);
    if (setenv(TOLD_TRIAL, trial, 1) == 0 && setenv(TOLD_ANSWER, run->answer, 1) == 0 &&
        preload(run->library.path) == 0)
        execv(run->program, run->argv);
    fprintf(stderr, "coz regions: %s cannot be executed: %s\n", run->program, strerror(errno));
    _exit(EXIT_NOT_EXECUTED);
}

static int complain_of(const struct whole_run *run, int status)
{
    if (WIFSIGNALED(status))
        fprintf(stderr, "coz regions: %s was ended by signal %d (%s).\n", run->argv[0], WTERMSIG(status),
                strsignal(WTERMSIG(status)));
    else if (WEXITSTATUS(status) != EXIT_NOT_EXECUTED)
        fprintf(stderr, "coz regions: %s failed with exit status %d.\n", run->argv[0], WEXITSTATUS(status));
    return -ECHILD;
}

/* That of the process itself; or else, when it only starts others, the longest. */
static int read_answers(const struct whole_run *run, pid_t process, struct answer *best)
{
    struct answer answer;
    int got;
    FILE *in = fopen(run->answer, "r");
    if (!in)
        return -errno;
    *best = (struct answer){0, 0, NULL, 0};
    while ((got = told_read(in, &answer)) > 0) {
        bool is_better = best->pid != process && (answer.pid == process || answer.time_ns > best->time_ns);
        struct answer *worse = is_better ? best : &answer;
        told_release(worse);
        if (is_better)
            *best = answer;
    }
    fclose(in);
    return got;
}

static int run_trial(const struct whole_run *run, const char *trial, struct answer *answer)
{
    int status;
    if (truncate(run->answer, 0) < 0)
        return -errno;
    fflush(NULL);
    pid_t process = fork();
    if (process == 0)
        become_program(run, trial);
    if (process < 0)
        return -errno;
    while (waitpid(process, &status, 0) < 0)
        if (errno != EINTR)
            return -errno;
    if (status != 0)
        return complain_of(run, status);
    return read_answers(run, process, answer);
}

int whole_run_make(void *context, struct book *book, const struct trial *trial, double *time_ns)
{
    const struct whole_run *run = context;
    struct answer answer = {0, 0, NULL, 0};
    bool is_baseline = trial->kind == TRIAL_BASELINE;
    char *text =
        told_trial(trial->kind, book->is_simple, is_baseline ? 0 : book->percents[trial->percent] / 100,
                   trial->kind == TRIAL_REGION ? book->regions[trial->region].name : NULL);
    int code = text ? run_trial(run, text, &answer) : -ENOMEM;
    free(text);
    if (code == 0 && answer.time_ns <= 0) {
        fprintf(
            stderr,
            "coz regions: %s told nothing. Either it entered no region (COZ_REGION_BEGIN of coz.h), or it ended by "
            "_exit() or exec(), or it is statically linked, without libcozregions.\n",
            run->argv[0]);
        return -ENOENT;
    }
    *time_ns = answer.time_ns;
    if (code == 0 && is_baseline)
        code = book_findings(book, answer.findings, answer.count, answer.time_ns, run->cores);
    told_release(&answer);
    if (code < 0 && code != -ECHILD)
        fprintf(stderr, "coz regions: %s cannot be measured: %s\n", run->argv[0], strerror(-code));
    return code;
}
