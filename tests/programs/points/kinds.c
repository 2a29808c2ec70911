/* Two threads that meet at a barrier, again and again. Each round is a progress point of every kind that there
 * is: the macro, and without it a line, a function, a static probe and a call. kinds SECONDS */
#include "static_probe.h"

#include <coz.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { LONG = 900000, SHORT = 600000 };

static pthread_barrier_t barrier;
static volatile int is_over;
static volatile unsigned sink, rounds;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static __attribute__((noinline)) void end_round(void)
{
    rounds++; /* the line */
    STATIC_PROBE("kinds", "round");
    COZ_PROGRESS_NAMED("macro");
}

static void *work_short(void *unused)
{
    unsigned x = 1;
    (void)unused;
    while (!is_over) {
        for (unsigned i = 0; i < SHORT; i++)
            x = (x ^ x >> 15) * 2246822519u; /* short */
        sink = x;
        pthread_barrier_wait(&barrier);
        pthread_barrier_wait(&barrier);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    double end = now() + (argc > 1 ? atof(argv[1]) : 10);
    pthread_t other;
    unsigned x = 1;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&other, NULL, work_short, NULL);
    while (!is_over) {
        for (unsigned i = 0; i < LONG; i++)
            x = (x ^ x >> 15) * 3266489917u; /* long */
        sink = x;
        pthread_barrier_wait(&barrier);
        is_over = now() > end;
        end_round();
        pthread_barrier_wait(&barrier);
    }
    pthread_join(other, NULL);
    printf("%u rounds\n", rounds);
    return 0;
}
