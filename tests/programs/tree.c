/* A tree of processes, each of which works in a line of its own, passes the point `step`, and prints its
 * number:
 *
 *     tree fork --until FILE         two children; each passes a point of its own as well, `one` and `two`,
 *                                    and begins and ends a `unit`
 *     tree exec --until FILE         a child that executes this program again
 *     tree become --until FILE       executes this program again itself
 *     tree daemon --until FILE       forks twice and detaches; the daemon touches `daemon.up` and
 *                                `daemon.done`
 *     tree background --until FILE   leaves a child behind that does nothing and ends when the file is there
 *     tree run PROGRAM               executes that, by posix_spawn() */
#include "target.h"

#include <coz.h>
#include <spawn.h>
#include <sys/wait.h>

extern char **environ;

static struct span span;
static volatile unsigned sum;

enum { STEPS = 200000, LEAST_STEPS = 200 };

#define WORK(who)                                                                                            \
    static void work_##who(const char *own)                                                                  \
    {                                                                                                        \
        unsigned x = 1;                                                                                      \
        for (unsigned step = 0; step < LEAST_STEPS || !is_over(span); step++) {                              \
            if (own)                                                                                         \
                COZ_BEGIN("unit");                                                                           \
            for (int i = 0; i < STEPS; i++)                                                                  \
                x = MIX(x, 2654435761u);                                                                     \
            COZ_PROGRESS_NAMED("step");                                                                      \
            if (own)                                                                                         \
                COZ_END("unit");                                                                             \
            if (own)                                                                                         \
                COZ_PROGRESS_NAMED(own);                                                                     \
        }                                                                                                    \
        sum = x;                                                                                             \
    }

WORK(first)    /* line of the first */
WORK(child)    /* line of the children */
WORK(executed) /* line of the executed */
WORK(daemon)   /* line of the daemon */

static void say(const char *who)
{
    printf("%s %d\n", who, (int)getpid());
    fflush(stdout);
}

static void wait_for_all(void)
{
    int status;
    while (wait(&status) > 0)
        if (status)
            printf("a child's status: %d\n", status);
}

static void fork_two(void)
{
    static const char *const names[] = {"one", "two"};
    for (int child = 0; child < 2; child++)
        if (fork() == 0) {
            say(names[child]);
            work_child(names[child]);
            exit(0);
        }
    say("first");
    work_first(NULL);
    wait_for_all();
}

static void execute(char **argv, bool in_child)
{
    static char executed[] = "executed";
    argv[1] = executed;
    if (!in_child || fork() == 0) {
        execv(argv[0], argv);
        exit(9);
    }
    say("first");
    work_first(NULL);
    wait_for_all();
}

static void detach(void)
{
    if (fork() > 0)
        _exit(5);
    setsid();
    if (fork() > 0)
        _exit(6);
    announce("daemon.up");
    work_daemon(NULL);
    announce("daemon.done");
}

static void leave_behind(void)
{
    if (fork() == 0) {
        while (!is_over(span))
            usleep(10000);
        announce("behind.done");
        _exit(0);
    }
    puts("left");
}

int main(int argc, char **argv)
{
    const char *how = argc > 2 ? argv[1] : "";
    span = span_option(argc, argv);
    if (strcmp(how, "fork") == 0)
        fork_two();
    else if (strcmp(how, "exec") == 0)
        execute(argv, true);
    else if (strcmp(how, "become") == 0)
        execute(argv, false);
    else if (strcmp(how, "executed") == 0)
        say("executed"), work_executed(NULL);
    else if (strcmp(how, "daemon") == 0)
        detach();
    else if (strcmp(how, "background") == 0)
        leave_behind();
    else if (strcmp(how, "run") == 0) {
        pid_t pid;
        must(posix_spawn(&pid, argv[2], NULL, NULL, argv + 2, environ));
        wait_for_all();
    } else
        return 2;
    return 0;
}
