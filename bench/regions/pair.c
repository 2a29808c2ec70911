/*
 * What both marks of a region take, in each of two threads at once: of a region of 2 us, by the difference to the same
 * work without marks, in turn; and of an empty one. Medians over many turns. In the one build there is no library, so
 * that the marks are off, or coz run takes them; in the other it does all that it can do with a target at these marks.
 */
#include <coz.h>

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#ifdef WITH_LIBRARY
#include "regions/experiments.h"
#include "regions/marks/thread.h"
#include "runtime/clock/ticks.h"
#endif

enum { THREADS = 2, TURNS = 100, PAIRS = 2000 };

static unsigned steps; /* that take 2 us */
static volatile unsigned sink;

static uint64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static inline void work(unsigned count)
{
    unsigned x = sink;
    for (unsigned i = 0; i < count; i++) {
        x = (x ^ x >> 15) * 2246822519u + 1;
        __asm__ volatile("" : "+r"(x));
    }
    sink = x;
}

static __attribute__((noinline)) uint64_t plain(unsigned count)
{
    uint64_t begin = now_ns();
    for (int i = 0; i < PAIRS; i++)
        work(count);
    return now_ns() - begin;
}

/* Without the pauses that another thread's time in the target makes due. */
static __attribute__((noinline)) uint64_t marked(unsigned count, int is_second)
{
    uint64_t begin = now_ns(), paused = 0;
#ifdef WITH_LIBRARY
    extern double tick_ns;
    uint64_t before = thread_mine ? thread_mine->paused : 0;
#endif
    if (is_second)
        for (int i = 0; i < PAIRS; i++) {
            COZ_REGION_BEGIN("second");
            work(count);
            COZ_REGION_END("second");
        }
    else
        for (int i = 0; i < PAIRS; i++) {
            COZ_REGION_BEGIN("first");
            work(count);
            COZ_REGION_END("first");
        }
#ifdef WITH_LIBRARY
    paused = (uint64_t)((double)(thread_mine->paused - before) * tick_ns);
#endif
    return now_ns() - begin - paused;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

struct turns {
    unsigned steps;
    int is_second;
    double cost[TURNS];
};

static void *take_turns(void *argument)
{
    struct turns *turns = argument;
    for (int i = 0; i < TURNS; i++) {
        double without = (double)plain(turns->steps);
        turns->cost[i] = ((double)marked(turns->steps, turns->is_second) - without) / PAIRS;
        COZ_PROGRESS_NAMED("turn");
    }
    qsort(turns->cost, TURNS, sizeof *turns->cost, compare);
    return NULL;
}

static void measure(const char *what, int differ)
{
    for (int empty = 0; empty <= 1; empty++) {
        static struct turns turns[THREADS];
        pthread_t threads[THREADS];
        for (int i = 0; i < THREADS; i++) {
            turns[i].steps = empty ? 0 : steps;
            turns[i].is_second = differ && i;
            if (pthread_create(&threads[i], NULL, take_turns, &turns[i]) != 0)
                exit(1);
        }
        for (int i = 0; i < THREADS; i++)
            pthread_join(threads[i], NULL);
        printf("%-48s %-8s %6.1f %6.1f ns a pair\n", what, empty ? "empty" : "of 2 us",
               turns[0].cost[TURNS / 2], turns[1].cost[TURNS / 2]);
    }
}

#ifdef WITH_LIBRARY
double tick_ns = 1;

static void measure_clock(void)
{
    enum { READS = 1000000 };
    uint64_t begin = now_ns();
    for (int i = 0; i < READS; i++)
        sink = (unsigned)ticks_read();
    printf("%-57s %6.1f ns\n", "reading the clock of the marks twice",
           2.0 * (double)(now_ns() - begin) / READS);
}

static void measure_all(const char *way)
{
    (void)way;
    const struct region *first = region_named("first");
    struct experiment counts = experiment_for(TRIAL_BASELINE, 0, 0, NULL);
    struct experiment spins = {EXPERIMENT_SPIN, first, 0, 0, 0};
    struct experiment overlaps = experiment_for(TRIAL_REGION, 0, -0.2, first);
    struct call call;
    measure("linked, and no call is measured", 0);
    call_begin(&call, &counts);
    tick_ns = call.tick_ns;
    measure_clock();
    measure("baseline", 0);
    call_end(&call);
    call_begin(&call, &spins);
    measure("simple, and full where a region is to be slower", 0);
    call_end(&call);
    call_begin(&call, &overlaps);
    measure("full, both threads in the target", 0);
    call_end(&call);
    call_begin(&call, &overlaps);
    measure("full, one in the target and one in another", 1);
    call_end(&call);
}
#else
static void measure_all(const char *way)
{
    measure(way, 0);
}
#endif

/* The way that the program is run by, to be printed. */
int main(int argc, char **argv)
{
    uint64_t took;
    for (steps = 64; (took = plain(steps)) < 2000u * PAIRS; steps += steps / 8)
        continue;
    measure_all(argc > 1 ? argv[1] : "not profiled");
    return 0;
}
