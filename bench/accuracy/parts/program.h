/*
 * What composed programs share (../compose.py): work that can be cut while the program runs, visits, and the
 * turns that tell the truth.
 *
 *     PROGRAM [--turns] SECONDS SEED
 *
 * Work is a chain of dependent multiplications: it takes as long in every build, and whatever else runs on
 * the machine's other cores. With --turns the lengths of the targets' work take turns, see next_turn(), and
 * what each turn took is printed at the end. C and C++.
 */
#ifndef PROGRAM_H
#define PROGRAM_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include <coz.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <math.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    STEPS_PER_US = 600,
    WHOLE = 4,          /* a target's work, in quarters */
    TURN_VISITS = 12,   /* a turn lasts so many at least, and more where queues hold some back, */
    TURN_NS = 40000000, /* and so long */
    LEFT_OUT = 4,       /* its first quarter is not counted: what the turn before has left is worked off */
    MOST_TURNS = 4096,
};

struct turn {
    int target, quarters; /* a target of -1: all work is whole */
    unsigned cycle;
    uint64_t ns;
    unsigned long visits;
};

/* What all processes of the program see. */
struct shared {
    unsigned quarters[TARGETS], cycle, order[3 * TARGETS + 2], position;
    unsigned long visits, turn_visits, counted_visits;
    uint64_t turn_ns, counted_ns, deadline_ns, seed;
    int turns, is_changing, is_over, is_counted;
    unsigned turns_done;
    struct turn done[MOST_TURNS];
};

/* A thread's own. */
struct self {
    uint64_t chance;
    unsigned number;
};

static struct shared *shared;
/* So many units of work may wait in queues. A queue that fills, or runs empty, hides for that long which side is the
 * slower one. */
static unsigned long held_back;
/* Not every program has a use for them. */
__attribute__((unused)) static pthread_mutex_t locks[3] = {
    PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
__attribute__((unused)) static pthread_rwlock_t rwlocks[2] = {PTHREAD_RWLOCK_INITIALIZER,
                                                              PTHREAD_RWLOCK_INITIALIZER};

static inline uint64_t clock_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static inline void fail(const char *what)
{
    perror(what);
    exit(1);
}

/* In 0..1. */
static inline double chance(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 40) / 16777216.0;
}

/* How many steps a piece of work takes whose mean is so many microseconds. */
static inline unsigned long constant(struct self *self, double us)
{
    (void)self;
    return (unsigned long)(us * STEPS_PER_US);
}

static inline unsigned long uniform(struct self *self, double us)
{
    return (unsigned long)(us * STEPS_PER_US * (0.5 + chance(&self->chance)));
}

/* Up to seven times the mean; the longest quarter of the pieces takes half of the time. */
static inline unsigned long long_tailed(struct self *self, double us)
{
    double part = chance(&self->chance);

    return (unsigned long)(us * STEPS_PER_US * 0.52 / sqrt(part < 0.005 ? 0.005 : part));
}

/* So much of it as the target's turn leaves. */
static inline unsigned long turned(int target, unsigned long steps)
{
    return target < 0 ? steps : steps * __atomic_load_n(&shared->quarters[target], __ATOMIC_RELAXED) / WHOLE;
}

/* All on the line that uses it; the empty asm wants every x, so that no compiler folds or drops it. */
#define WORK(target, steps)                                                                                  \
    for (unsigned long left_ = turned(target, steps); left_; left_--) {                                      \
        x = x * 6364136223846793005u + 2 * __LINE__ + 1;                                                     \
        __asm__ volatile("" : "+r"(x));                                                                      \
    }

static inline void shuffle_turns(void)
{
    unsigned count = sizeof shared->order / sizeof *shared->order;

    for (unsigned i = 0; i < count; i++)
        shared->order[i] = i;
    for (unsigned i = count - 1; i; i--) {
        unsigned other = (unsigned)(chance(&shared->seed) * (i + 1)), kept = shared->order[i];

        shared->order[i] = shared->order[other];
        shared->order[other] = kept;
    }
}

/* A cycle has, in shuffled order, two turns with all work whole, and three of each target: cut to 75, 50, 25
 * %. */
static inline int target_of(unsigned turn)
{
    return turn < 2 ? -1 : (int)((turn - 2) / 3);
}

static inline unsigned quarters_of(unsigned turn)
{
    return turn < 2 ? (unsigned)WHOLE : WHOLE - 1 - (turn - 2) % 3;
}

static inline void next_turn(uint64_t now, unsigned long visits)
{
    if (shared->turn_ns && shared->turns_done < MOST_TURNS) {
        unsigned turn = shared->order[shared->position];
        struct turn *done = &shared->done[shared->turns_done++];

        done->target = target_of(turn);
        done->quarters = (int)quarters_of(turn);
        done->cycle = shared->cycle;
        done->ns = now - shared->counted_ns;
        done->visits = visits - shared->counted_visits;
    }
    if (!shared->turn_ns || ++shared->position == sizeof shared->order / sizeof *shared->order) {
        shared->cycle += shared->turn_ns != 0;
        shared->position = 0;
        shuffle_turns();
    }
    for (int i = 0; i < TARGETS; i++)
        __atomic_store_n(&shared->quarters[i], (unsigned)WHOLE, __ATOMIC_RELAXED);
    unsigned turn = shared->order[shared->position];
    if (target_of(turn) >= 0)
        __atomic_store_n(&shared->quarters[target_of(turn)], quarters_of(turn), __ATOMIC_RELAXED);
    shared->turn_ns = now;
    shared->turn_visits = visits;
    shared->is_counted = 0;
}

static inline void take_turns(uint64_t now, unsigned long visits)
{
    if (__atomic_exchange_n(&shared->is_changing, 1, __ATOMIC_ACQUIRE))
        return;
    uint64_t passed = now > shared->turn_ns ? now - shared->turn_ns : 0;
    unsigned long done = visits > shared->turn_visits ? visits - shared->turn_visits : 0;
    unsigned long left_out = TURN_VISITS / LEFT_OUT + held_back;
    if (!shared->turn_ns || (passed >= TURN_NS && done >= LEFT_OUT * left_out))
        next_turn(now, visits);
    else if (!shared->is_counted && passed >= TURN_NS / LEFT_OUT && done >= left_out) {
        shared->is_counted = 1;
        shared->counted_ns = now;
        shared->counted_visits = visits;
    }
    __atomic_store_n(&shared->is_changing, 0, __ATOMIC_RELEASE);
}

/* In a process that is not the first one, the first one sees it end, and ends. */
static inline void finish(unsigned long visits)
{
    if (__atomic_exchange_n(&shared->is_over, 1, __ATOMIC_RELAXED))
        for (;;)
            pause();
    for (unsigned i = 0; i < shared->turns_done; i++)
        printf("TURN %u %d %d %llu %lu\n", shared->done[i].cycle, shared->done[i].target,
               25 * shared->done[i].quarters, (unsigned long long)shared->done[i].ns, shared->done[i].visits);
    printf("VISITS %lu\n", visits);
    fflush(stdout);
    exit(0);
}

#ifdef BARE_COUNTER
/* What the original's header leaves in a program: a counter, and nothing that tells when it moves. */
typedef coz_counter_t *(*get_counter)(int, const char *);

static inline void count_visit(void)
{
    static coz_counter_t *counter;
    static int is_known;

    if (!__atomic_load_n(&is_known, __ATOMIC_ACQUIRE)) {
        get_counter get = (get_counter)dlsym(RTLD_DEFAULT, "_coz_get_counter");

        if (get)
            counter = get(COZ_COUNTER_TYPE_THROUGHPUT, "visit");
        __atomic_store_n(&is_known, 1, __ATOMIC_RELEASE);
    }
    if (counter)
        __atomic_add_fetch(&counter->count, 1, __ATOMIC_RELAXED);
}
#define COUNT_VISIT count_visit()
#else
#define COUNT_VISIT COZ_PROGRESS_NAMED("visit")
#endif

static void company_visit(struct self *self);

static inline void visit(struct self *self)
{
    COUNT_VISIT;
    unsigned long visits = __atomic_add_fetch(&shared->visits, 1, __ATOMIC_RELAXED);
    uint64_t now = clock_ns();
    company_visit(self);
    if (shared->turns)
        take_turns(now, visits);
    if (now >= shared->deadline_ns)
        finish(visits);
}

static inline void start_thread(pthread_t *thread, void *(*body)(void *), void *argument)
{
    pthread_t other;

    errno = pthread_create(thread ? thread : &other, NULL, body, argument);
    if (errno)
        fail("pthread_create");
}

static inline struct self new_self(unsigned number)
{
    struct self self = {number * 7919 + shared->seed, number};

    chance(&self.chance);
    return self;
}

/* A process that ends with its parent. */
static inline pid_t fork_process(void)
{
    pid_t pid = fork();

    if (pid < 0)
        fail("fork");
    if (pid == 0)
        prctl(PR_SET_PDEATHSIG, SIGKILL);
    return pid;
}

/* Sleeps on when a signal comes. */
static inline void doze(unsigned us)
{
    struct timespec time;

    time.tv_sec = us / 1000000;
    time.tv_nsec = us % 1000000 * 1000;
    while (nanosleep(&time, &time) != 0 && errno == EINTR)
        ;
}

static inline void program_start(int argc, char **argv)
{
    int turns = argc == 4 && strcmp(argv[1], "--turns") == 0;

    if (argc != 3 && !turns) {
        fprintf(stderr, "usage: %s [--turns] SECONDS SEED\n", argv[0]);
        exit(2);
    }
    shared = (struct shared *)mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
                                   -1, 0);
    if (shared == MAP_FAILED)
        fail("mmap");
    for (int i = 0; i < TARGETS; i++)
        shared->quarters[i] = WHOLE;
    shared->turns = turns;
    shared->seed = strtoull(argv[argc - 1], NULL, 10) * 2 + 1;
    shared->deadline_ns = clock_ns() + (uint64_t)(strtod(argv[argc - 2], NULL) * 1e9);
}

#endif
