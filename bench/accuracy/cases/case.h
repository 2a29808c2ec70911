/*
 * What the cases share: knobs, work that stays on one source line, and an end that says how fast the visits
 * were.
 *
 *     CASE --seconds N            run that long (default 30)
 *          --set NAME=N           give a knob another value
 *          --cut NAME=PERCENT     then really take that much off it: this is how the truth is measured
 *          --turns NAME=PERCENT   do so for 10 ms in 20, and say how long visits take then, and without; for
 *                                 cases whose visits are one thread's, one after the other
 *          --seed N               for cases with random arrivals
 *          --set sleeper=US       beside it all, a thread that only sleeps so long, again and again
 *
 * The rate is that of the visits after the first CASE_WARM_S, in which threads start, queues fill, and a
 * machine's cores wake up: four pairs of threads of 100 us took 0.9 ms at first and 0.65 from there on. A
 * case ends by leaving from its deadline's visit: whatever other threads do then, does not count.
 */
#ifndef CASE_H
#define CASE_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include <coz.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Steps of MIX that take about a millisecond, more or less by the machine. */
#define MS 500000u

/*
 * `steps` steps of work on unsigned x. A macro, so that all of it stays on the line that uses it; the factor
 * differs from line to line and the empty asm wants every x, so that no compiler can fold, shorten or drop
 * it.
 */
#define WORK(x, steps)                                                                                       \
    for (unsigned left_ = (steps); left_; left_--) {                                                         \
        x = (x ^ x >> 15) * (2246822519u + 2u * __LINE__) + 1u;                                              \
        __asm__ volatile("" : "+r"(x));                                                                      \
    }

struct knob {
    const char *name;
    unsigned *value; /* holds the default */
};

#define CASE_WARM_S 0.15

#define CASE_TURN_S 0.01

/* What takes turns: the knob whole, and cut. */
struct case_turns {
    unsigned *knob; /* NULL: nothing does */
    unsigned values[2], now;
    double since, seconds[2];
    unsigned long since_visits, visits[2];
};

static struct case_turns case_turns;
static double case_warm, case_begun, case_deadline;
static unsigned long case_visits, case_first_visits;
static unsigned case_seed = 1, case_sleeper_us; /* 0: there is none */

static inline double now_seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static inline void case_fail(const char *what)
{
    perror(what);
    exit(1);
}

static inline pthread_t start_thread(void *(*body)(void *), void *argument)
{
    pthread_t thread;
    int error = pthread_create(&thread, NULL, body, argument);

    if (error) {
        fprintf(stderr, "cannot start a thread: %s\n", strerror(error));
        exit(1);
    }
    return thread;
}

static inline void *case_sleep(void *unused)
{
    const struct timespec time = {case_sleeper_us / 1000000, case_sleeper_us % 1000000 * 1000};

    for (;;) {
        now_seconds();
        nanosleep(&time, NULL);
    }
    return unused;
}

static inline int case_number(const char *text, double *value)
{
    char *end;

    *value = strtod(text, &end);
    return end != text && !*end && *value >= 0;
}

enum case_change { CASE_SET, CASE_CUT, CASE_TURNS };

static inline void case_apply(unsigned *value, enum case_change change, double number)
{
    unsigned cut = (unsigned)(*value * (1 - number / 100) + 0.5);

    if (change == CASE_TURNS) {
        case_turns.knob = value;
        case_turns.values[0] = *value;
        case_turns.values[1] = cut;
    } else
        *value = change == CASE_CUT ? cut : (unsigned)number;
}

/* Applies NAME=NUMBER; returns whether there is such a knob and the number is one. */
static inline int case_turn(const struct knob *knobs, int count, const char *text, enum case_change change)
{
    const char *equals = strchr(text, '=');
    double number;

    if (!equals || !case_number(equals + 1, &number))
        return 0;
    for (int i = 0; i < count; i++) {
        if (strncmp(knobs[i].name, text, (size_t)(equals - text)) != 0 || knobs[i].name[equals - text])
            continue;
        case_apply(knobs[i].value, change, number);
        return 1;
    }
    return 0;
}

/* Applies it to the case's knobs, or to the one that every case has. */
static inline int case_turn_any(const struct knob *knobs, int count, const char *text,
                                enum case_change change)
{
    static const struct knob own = {"sleeper", &case_sleeper_us};

    return case_turn(knobs, count, text, change) || case_turn(&own, 1, text, change);
}

/* Reads the options into the knobs and starts the clock; prints the knobs and exits on anything else. */
static inline void case_start(int argc, char **argv, const struct knob *knobs, int count)
{
    double seconds = 30, seed = 1;
    int good = argc % 2;

    for (int i = 1; good && i < argc; i += 2) {
        if (strcmp(argv[i], "--seconds") == 0)
            good = case_number(argv[i + 1], &seconds);
        else if (strcmp(argv[i], "--seed") == 0)
            good = case_number(argv[i + 1], &seed);
        else
            good = (strcmp(argv[i], "--set") == 0 && case_turn_any(knobs, count, argv[i + 1], CASE_SET)) ||
                   (strcmp(argv[i], "--cut") == 0 && case_turn(knobs, count, argv[i + 1], CASE_CUT)) ||
                   (strcmp(argv[i], "--turns") == 0 && case_turn(knobs, count, argv[i + 1], CASE_TURNS));
    }
    if (!good) {
        fprintf(
            stderr,
            "usage: %s [--seconds N] [--seed N] [--set KNOB=N] [--cut KNOB=PERCENT] [--turns KNOB=PERCENT]; "
            "knobs:",
            argv[0]);
        for (int i = 0; i < count; i++)
            fprintf(stderr, " %s=%u", knobs[i].name, *knobs[i].value);
        fprintf(stderr, "\n");
        exit(2);
    }
    case_seed = (unsigned)seed;
    case_warm = now_seconds() + CASE_WARM_S;
    case_deadline = case_warm + seconds;
    if (case_sleeper_us)
        start_thread(case_sleep, NULL);
}

/* Whether the time is up; only the first thread to see it returns, to print what there is to say. */
static inline int case_over(double now)
{
    static int leaving;

    if (now < case_deadline)
        return 0;
    if (__atomic_exchange_n(&leaving, 1, __ATOMIC_RELAXED))
        for (;;)
            pause();
    return 1;
}

static inline void case_count(void)
{
    __atomic_add_fetch(&case_visits, 1, __ATOMIC_RELAXED);
}

/* Whether the visits do not count yet. The first one that could starts the clock. */
static inline int case_warm_up(double now, unsigned long visits)
{
    static int claimed, warm;

    if (__atomic_load_n(&warm, __ATOMIC_ACQUIRE))
        return 0;
    if (now >= case_warm && !__atomic_exchange_n(&claimed, 1, __ATOMIC_RELAXED)) {
        case_begun = case_turns.since = now;
        case_first_visits = case_turns.since_visits = visits;
        __atomic_store_n(&warm, 1, __ATOMIC_RELEASE);
    }
    return 1;
}

/* Ends a turn that has lasted, by its last visit. */
static inline void case_take_turns(double now, unsigned long visits)
{
    struct case_turns *turns = &case_turns;

    if (!turns->knob || now - turns->since < CASE_TURN_S)
        return;
    turns->seconds[turns->now] += now - turns->since;
    turns->visits[turns->now] += visits - turns->since_visits;
    turns->since = now;
    turns->since_visits = visits;
    turns->now = !turns->now;
    *turns->knob = turns->values[turns->now];
}

/* The time of a visit with the knob cut by that with it whole. */
static inline void case_print_ratio(const struct case_turns *turns)
{
    if (turns->visits[1])
        printf("RATIO %.6f\n",
               turns->seconds[1] / (double)turns->visits[1] / (turns->seconds[0] / (double)turns->visits[0]));
}

/* Leaves the program when the time is up. */
static inline void case_check(void)
{
    double now = now_seconds();
    unsigned long visits = __atomic_load_n(&case_visits, __ATOMIC_RELAXED);

    if (case_warm_up(now, visits))
        return;
    case_take_turns(now, visits);
    if (case_over(now)) {
        case_print_ratio(&case_turns);
        printf("RATE %.3f\n", (double)(visits - case_first_visits) / (now - case_begun));
        exit(0);
    }
}

/* One visit of the case's progress point. */
#define VISIT()                                                                                              \
    do {                                                                                                     \
        COZ_PROGRESS_NAMED("visit");                                                                         \
        case_count();                                                                                        \
        case_check();                                                                                        \
    } while (0)

#endif
