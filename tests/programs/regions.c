/*
 * Has regions and nothing to link: two threads that each do `work` and `rest` by turns, five times; names of `turn`s are
 * made at run time. How it ends is told by its argument: nothing, `open` (a region is left by longjmp), `fork` (a child
 * of it enters regions, too), `fail` (exit status 3), `killed`, or `_exit`.
 */
#include <coz.h>

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TURNS = 5, STEPS = 100000 };

static volatile unsigned sink;
static jmp_buf back;

static void step(unsigned steps)
{
    for (unsigned i = 0; i < steps; i++)
        sink++;
}

static void *take_turns(void *unused)
{
    for (int i = 0; i < TURNS; i++) {
        char name[16];

        snprintf(name, sizeof name, "turn %d", i % 2);
        COZ_REGION_BEGIN(name);
        COZ_REGION_BEGIN("work");
        step(3 * STEPS);
        COZ_REGION_END("work");
        COZ_REGION_END(name);
        COZ_REGION_BEGIN("rest");
        step(STEPS);
        COZ_REGION_END("rest");
    }
    return unused;
}

static void leave_open(void)
{
    COZ_REGION_BEGIN("rest");
    if (setjmp(back) == 0) {
        COZ_REGION_BEGIN("work");
        longjmp(back, 1);
    }
    COZ_REGION_END("rest");
}

int main(int argc, char **argv)
{
    const char *way = argc > 1 ? argv[1] : "";
    pthread_t thread;

    if (pthread_create(&thread, NULL, take_turns, NULL) != 0)
        return 1;
    take_turns(NULL);
    pthread_join(thread, NULL);
    puts("done");
    if (strcmp(way, "open") == 0)
        leave_open();
    if (strcmp(way, "fork") == 0) {
        if (fork() == 0) {
            take_turns(NULL);
            exit(0);
        }
        wait(NULL);
    }
    if (strcmp(way, "killed") == 0)
        raise(SIGTERM);
    if (strcmp(way, "_exit") == 0)
        _exit(0);
    return strcmp(way, "fail") == 0 ? 3 : 0;
}
