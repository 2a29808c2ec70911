/*
 * The programs that `coz selftest` profiles. What each of their lines is worth is known, because the line's
 * work can really be cut.
 *
 *     workload PROGRAM SECONDS [quiet | cut LINE PERCENT]
 *
 * Works for so long and then says how often it got round, how long that took, and where its lines are:
 *     visits N
 *     seconds S
 *     line NAME NUMBER
 *
 * serial    one thread, two lines: each is worth its share of the time
 * forkjoin  each round starts two threads and joins them: only the longer one is worth anything
 * lock      two threads that hold one lock three quarters of the time: only what is inside is worth anything
 * handover  two threads that wait for each other's turn: each line is worth its share
 * company   two threads that meet at a barrier, beside threads that only sleep and wake: only the longer line
 * is worth anything, and no more than in private
 */
#include <coz.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* About a millisecond of work; a round takes a few. */
enum { MS = 400000 };

struct line {
    const char *name;
    unsigned steps, number;
};

/* All of it stays on the line that uses it, which it makes known. No compiler can shorten it: every step
 * needs the one before, and the empty asm wants to see each. */
#define WORK(x, line)                                                                                        \
    __atomic_store_n(&(line).number, __LINE__, __ATOMIC_RELAXED);                                            \
    for (unsigned left_ = (line).steps; left_; left_--) {                                                    \
        x = (x ^ x >> 15) * (2246822519u + 2u * __LINE__) + 1u;                                              \
        __asm__ volatile("" : "+r"(x));                                                                      \
    }

static struct line lines[2];
static double began, seconds;
static int quiet;
static unsigned long visits;

static double read_clock(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* Ends the program when the time is up, by the first thread that notices. */
static void leave_in_time(void)
{
    static int leaving;
    double elapsed = read_clock() - began;
    if (elapsed < seconds)
        return;
    if (__atomic_exchange_n(&leaving, 1, __ATOMIC_RELAXED))
        for (;;)
            pause();
    if (!quiet)
        printf("visits %lu\nseconds %.9f\nline %s %u\nline %s %u\n", visits, elapsed, lines[0].name,
               lines[0].number, lines[1].name, lines[1].number);
    exit(0);
}

#define VISIT()                                                                                              \
    do {                                                                                                     \
        COZ_PROGRESS_NAMED("visit");                                                                         \
        __atomic_add_fetch(&visits, 1, __ATOMIC_RELAXED);                                                    \
        leave_in_time();                                                                                     \
    } while (0)

static pthread_t start_thread(void *(*body)(void *))
{
    pthread_t thread;
    int error = pthread_create(&thread, NULL, body, NULL);
    if (error) {
        fprintf(stderr, "cannot start a thread: %s\n", strerror(error));
        exit(1);
    }
    return thread;
}

static void *serial(void *unused)
{
    unsigned x = 1;
    for (;;) {
        WORK(x, lines[0]);
        WORK(x, lines[1]);
        VISIT();
    }
    return unused;
}

static void *first_half(void *unused)
{
    unsigned x = 1;
    WORK(x, lines[0]);
    return unused;
}

static void *second_half(void *unused)
{
    unsigned x = 1;
    WORK(x, lines[1]);
    return unused;
}

static void *forkjoin(void *unused)
{
    for (;;) {
        pthread_t first = start_thread(first_half), second = start_thread(second_half);
        pthread_join(first, NULL);
        pthread_join(second, NULL);
        VISIT();
    }
    return unused;
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *hold(void *unused)
{
    unsigned x = 1;
    for (;;) {
        pthread_mutex_lock(&mutex);
        WORK(x, lines[0]);
        pthread_mutex_unlock(&mutex);
        WORK(x, lines[1]);
        VISIT();
    }
    return unused;
}

static void *lock(void *unused)
{
    start_thread(hold);
    return hold(unused);
}

static pthread_cond_t turned = PTHREAD_COND_INITIALIZER;
static int turn;

static void wait_for_turn(int mine)
{
    pthread_mutex_lock(&mutex);
    while (turn != mine)
        pthread_cond_wait(&turned, &mutex);
    pthread_mutex_unlock(&mutex);
}

static void hand_over(int to)
{
    pthread_mutex_lock(&mutex);
    turn = to;
    pthread_cond_signal(&turned);
    pthread_mutex_unlock(&mutex);
}

static void *answer(void *unused)
{
    unsigned x = 1;
    for (;;) {
        wait_for_turn(1);
        WORK(x, lines[1]);
        hand_over(0);
    }
    return unused;
}

static void *handover(void *unused)
{
    unsigned x = 1;
    start_thread(answer);
    for (;;) {
        wait_for_turn(0);
        WORK(x, lines[0]);
        hand_over(1);
        VISIT();
    }
    return unused;
}

static pthread_barrier_t barrier;

static void *arrive_early(void *unused)
{
    unsigned x = 1;
    for (;;) {
        WORK(x, lines[1]);
        pthread_barrier_wait(&barrier);
    }
    return unused;
}

static void *sleep_and_wake(void *unused)
{
    for (;;) {
        read_clock();
        usleep(20000);
    }
    return unused;
}

static void *wait_in_vain(void *unused)
{
    for (;;)
        poll(NULL, 0, 3);
    return unused;
}

static void *company(void *unused)
{
    unsigned x = 1;
    pthread_barrier_init(&barrier, NULL, 2);
    start_thread(sleep_and_wake);
    start_thread(wait_in_vain);
    start_thread(arrive_early);
    for (;;) {
        WORK(x, lines[0]);
        pthread_barrier_wait(&barrier);
        VISIT();
    }
    return unused;
}

static const struct program {
    const char *name;
    void *(*run)(void *unused);
    struct line lines[2];
} programs[] = {
    {"serial", serial, {{"large", 7 * MS / 10, 0}, {"small", 3 * MS / 10, 0}}},
    {"forkjoin", forkjoin, {{"long", 3 * MS / 2, 0}, {"short", MS, 0}}},
    {"lock", lock, {{"inside", 3 * MS / 8, 0}, {"beside", MS / 8, 0}}},
    {"handover", handover, {{"ping", MS / 2, 0}, {"pong", 3 * MS / 10, 0}}},
    {"company", company, {{"longer", 2 * MS / 5, 0}, {"shorter", 3 * MS / 10, 0}}},
};

/* Returns whether the program has such a line, and the percentage makes sense. */
static int cut_line(const char *name, const char *percent)
{
    char *end;
    double part = strtod(percent, &end);
    for (int i = 0; i < 2; i++) {
        if (strcmp(lines[i].name, name) != 0 || end == percent || *end || !(part >= 0 && part <= 100))
            continue;
        lines[i].steps = (unsigned)(lines[i].steps * (1 - part / 100) + 0.5);
        return 1;
    }
    return 0;
}

int main(int argc, char **argv)
{
    const struct program *program = NULL;
    for (size_t i = 0; argc > 2 && i < sizeof programs / sizeof *programs; i++)
        if (strcmp(programs[i].name, argv[1]) == 0)
            program = &programs[i];
    if (program) {
        memcpy(lines, program->lines, sizeof lines);
        seconds = strtod(argv[2], NULL);
        quiet = argc == 4 && strcmp(argv[3], "quiet") == 0;
    }
    int good = argc == 3 || quiet || (argc == 6 && strcmp(argv[3], "cut") == 0 && cut_line(argv[4], argv[5]));
    if (!program || !good) {
        fprintf(stderr, "usage: %s PROGRAM SECONDS [quiet | cut LINE PERCENT]\n", argv[0]);
        return 2;
    }
    began = read_clock();
    program->run(NULL);
}
