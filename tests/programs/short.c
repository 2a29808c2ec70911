/* Many processes that live for a moment, one after the other, and how dear it is to start a thread before and
 * after them:
 *
 *     short COUNT wait      each executes `true`, and is waited for
 *     short COUNT ignore    the same, but nobody waits: SIGCHLD is ignored
 *     short COUNT orphan    each is a child's child, whose parent has ended
 *     short COUNT kill      each kills itself, and is waited for
 *     short COUNT quick     each ends by quick_exit()
 *     short COUNT number    each ends by the system call's number
 *     short COUNT static PROGRAM [ARGUMENT...]   each executes that, which is not profiled, and is waited for */
#include "target.h"

#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>

enum { STARTS = 2000 };

static void *do_nothing(void *nothing)
{
    return nothing;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* The median time to start a thread and join it, in microseconds. */
static double start_us(void)
{
    static double took[STARTS];
    for (int i = 0; i < STARTS; i++) {
        pthread_t thread;
        double began = seconds();
        must(pthread_create(&thread, NULL, do_nothing, NULL));
        must(pthread_join(thread, NULL));
        took[i] = seconds() - began;
    }
    qsort(took, STARTS, sizeof *took, compare);
    return took[STARTS / 2] * 1e6;
}

static void live(const char *how, char **command)
{
    if (strcmp(how, "orphan") == 0 && fork() > 0)
        _exit(0);
    if (strcmp(how, "kill") == 0)
        raise(SIGKILL);
    if (strcmp(how, "quick") == 0)
        quick_exit(0);
    if (strcmp(how, "number") == 0)
        syscall(SYS_exit_group, 0);
    execvp(*command, command);
    _exit(9);
}

int main(int argc, char **argv)
{
    static char nothing[] = "true", *nothing_to_do[] = {nothing, NULL};
    if (argc < 3)
        return 2;
    const char *how = argv[2];
    if (strcmp(how, "ignore") == 0)
        signal(SIGCHLD, SIG_IGN);
    double before = start_us();
    for (long i = atol(argv[1]); i > 0; i--) {
        pid_t pid = fork();
        int status = 0;
        if (pid == 0)
            live(how, argc > 3 ? argv + 3 : nothing_to_do);
        if (waitpid(pid, &status, 0) == pid && status && strcmp(how, "kill") != 0) {
            printf("a child's status: %d\n", status);
            return 1;
        }
    }
    printf("a thread: %.1f us, then %.1f us\n", before, start_us());
    return 0;
}
