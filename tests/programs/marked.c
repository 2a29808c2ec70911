/*
 * Regions under a profiler: two threads meet after each round. "hot" is entered every few microseconds by the first
 * thread, which the second waits for; "cool" is what the second does meanwhile, in half of the time. Of a round of the
 * first thread's, half is in "hot".
 *
 *     marked --ms 2000            for so long (0: until it is ended)
 *     marked --until FILE         until there is such a file
 *     marked --leave HOW          and before that each way to leave a region without its end: "ways"
 */
#include <coz.h>

#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { STEPS = 2000, PIECES = 200 };

static pthread_barrier_t meeting;
static unsigned long long until_ns;
static const char *until_file;
static volatile unsigned sink;
static unsigned last_round = ~0u; /* set by the first thread, before the second can have ended it */

static unsigned long long now_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (unsigned long long)t.tv_sec * 1000000000u + (unsigned long long)t.tv_nsec;
}

static __attribute__((noinline)) void work(unsigned count)
{
    unsigned x = sink;

    for (unsigned i = 0; i < count; i++) {
        x = (x ^ x >> 15) * 2246822519u + 1;
        __asm__ volatile("" : "+r"(x));
    }
    sink = x;
}

static void *first(void *unused)
{
    for (unsigned round = 0; round <= __atomic_load_n(&last_round, __ATOMIC_RELAXED); round++) {
        for (int i = 0; i < PIECES; i++) {
            COZ_REGION_BEGIN("hot");
            work(STEPS / 2);
            COZ_REGION_END("hot");
            work(STEPS / 2);
        }
        COZ_PROGRESS_NAMED("round");
        if ((until_ns && now_ns() > until_ns) || (until_file && access(until_file, F_OK) == 0))
            __atomic_store_n(&last_round, round, __ATOMIC_RELAXED);
        pthread_barrier_wait(&meeting);
    }
    return unused;
}

static void *second(void *unused)
{
    char name[16];

    for (unsigned round = 0; round <= __atomic_load_n(&last_round, __ATOMIC_RELAXED); round++) {
        snprintf(name, sizeof name, "c%sl", "oo");
        COZ_REGION_BEGIN(name);
        work(STEPS * PIECES / 2);
        COZ_REGION_END(name);
        pthread_barrier_wait(&meeting);
    }
    return unused;
}

/* ---- regions that are left */

static jmp_buf out;

static __attribute__((noinline)) void jump(void)
{
    COZ_REGION_BEGIN("jumped out of");
    work(STEPS);
    longjmp(out, 1);
}

static void *leave_thread(void *unused)
{
    COZ_REGION_BEGIN("ended in");
    work(STEPS);
    pthread_exit(unused);
}

static void recurse(unsigned depth)
{
    COZ_REGION_BEGIN("recursive");
    work(STEPS);
    COZ_REGION_BEGIN("between");
    if (depth)
        recurse(depth - 1);
    COZ_REGION_END("between");
    COZ_REGION_END("recursive");
}

static void leave(void)
{
    pthread_t thread;

    for (volatile int i = 0; i < 3; i++) {
        COZ_REGION_BEGIN("around");
        if (!setjmp(out))
            jump();
        COZ_REGION_END("around");
    }
    for (int i = 0; i < 4; i++) {
        COZ_REGION_BEGIN("gone on from");
        work(STEPS);
        if (i < 3)
            continue;
        COZ_REGION_END("gone on from");
    }
    pthread_create(&thread, NULL, leave_thread, NULL);
    pthread_join(thread, NULL);
    COZ_REGION_END("never begun");
    recurse(9);
    COZ_REGION_BEGIN("forked in");
    if (fork() == 0) {
        work(STEPS);
        COZ_REGION_END("forked in");
        _exit(0);
    }
    wait(NULL);
    COZ_REGION_END("forked in");
}

int main(int argc, char **argv)
{
    pthread_t threads[2];
    int leaves = 0;

    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--ms") == 0 && atoi(argv[i + 1]))
            until_ns = now_ns() + 1000000ull * (unsigned)atoi(argv[i + 1]);
        else if (strcmp(argv[i], "--until") == 0)
            until_file = argv[i + 1];
        else if (strcmp(argv[i], "--leave") == 0)
            leaves = 1;
    }
    if (leaves)
        leave();
    pthread_barrier_init(&meeting, NULL, 2);
    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
