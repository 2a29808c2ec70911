/* What the commonest synchronisation costs: prints a line for each case, "NAME NANOSECONDS" of one operation.
 *
 *     hooks SECONDS      spent on each case
 *
 * It has no progress point, so that a profiler only samples and never inserts a delay. */
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static double seconds;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void must(int rc)
{
    if (rc) {
        fprintf(stderr, "hooks: a call failed (%d)\n", rc);
        exit(1);
    }
}

/* Makes batches of an operation until the time is up. */
static void measure(const char *name, void (*batch)(unsigned count), unsigned count)
{
    double start = now(), end;
    uint64_t done = 0;
    batch(count / 10 + 1);
    do {
        batch(count);
        done += count;
        end = now();
    } while (end - start < seconds);
    printf("%s %.2f\n", name, (end - start) * 1e9 / (double)done);
    fflush(stdout);
}

/* ---- a lock that nobody else wants */

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void lock_pairs(unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        pthread_mutex_lock(&mutex);
        pthread_mutex_unlock(&mutex);
    }
}

/* ---- two threads that hand a turn to and fro
 *
 * On one core a round takes a sixth of what it takes on two, or less: there each wake fetches a core from its sleep. Left
 * alone, the kernel begins with one core and comes to two sooner or later: rounds would tell when that was. So the
 * threads are kept on the cores that are asked for. */

static cpu_set_t all_cores;

/* The calling thread stays on the first of its cores, or on the second. */
static void stay_on(unsigned which)
{
    cpu_set_t one;
    CPU_ZERO(&one);
    for (int core = 0; core < CPU_SETSIZE && CPU_COUNT(&one) == 0; core++)
        if (CPU_ISSET(core, &all_cores) && which-- == 0)
            CPU_SET(core, &one);
    must(pthread_setaffinity_np(pthread_self(), sizeof one, &one));
}

static pthread_mutex_t turn_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t turn_changed = PTHREAD_COND_INITIALIZER;
static unsigned turn;

static void take_turns_cond(unsigned mine, unsigned count)
{
    pthread_mutex_lock(&turn_mutex);
    for (unsigned i = 0; i < count; i++) {
        while (turn != mine)
            pthread_cond_wait(&turn_changed, &turn_mutex);
        turn = !mine;
        pthread_cond_signal(&turn_changed);
    }
    pthread_mutex_unlock(&turn_mutex);
}

static _Atomic uint32_t word;

static void take_turns_futex(unsigned mine, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        while (atomic_load(&word) != mine)
            syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, !mine, NULL, NULL, 0);
        atomic_store(&word, !mine);
        syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
    }
}

struct player {
    void (*take_turns)(unsigned mine, unsigned count);
    unsigned count, core;
};

static void *second_player(void *argument)
{
    const struct player *player = argument;
    stay_on(player->core);
    player->take_turns(1, player->count);
    return NULL;
}

static void play(void (*take_turns)(unsigned, unsigned), unsigned count, unsigned second_core)
{
    struct player player = {take_turns, count, second_core};
    pthread_t thread;
    stay_on(0);
    must(pthread_create(&thread, NULL, second_player, &player));
    take_turns(0, count);
    must(pthread_join(thread, NULL));
    must(pthread_setaffinity_np(pthread_self(), sizeof all_cores, &all_cores));
}

static void cond_on_one_core(unsigned count)
{
    play(take_turns_cond, count, 0);
}

static void cond_on_two_cores(unsigned count)
{
    play(take_turns_cond, count, 1);
}

static void futex_on_one_core(unsigned count)
{
    play(take_turns_futex, count, 0);
}

static void futex_on_two_cores(unsigned count)
{
    play(take_turns_futex, count, 1);
}

/* ---- threads that do nothing */

static void *nothing(void *argument)
{
    return argument;
}

static void threads(unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        pthread_t thread;
        must(pthread_create(&thread, NULL, nothing, NULL));
        must(pthread_join(thread, NULL));
    }
}

static void *sleeper(void *argument)
{
    pause();
    return argument;
}

int main(int argc, char **argv)
{
    seconds = argc == 2 ? atof(argv[1]) : 0;
    if (!(seconds > 0)) {
        fputs("usage: hooks SECONDS\n", stderr);
        return 2;
    }
    must(pthread_getaffinity_np(pthread_self(), sizeof all_cores, &all_cores));
    if (CPU_COUNT(&all_cores) < 2) {
        fputs("hooks: two cores are needed, and one is allowed (taskset, a cgroup)\n", stderr);
        return 1;
    }
    measure("lock-alone", lock_pairs, 100000); /* libc's locks are not atomic in a program of one thread */
    pthread_t thread;
    must(pthread_create(&thread, NULL, sleeper, NULL));
    measure("lock", lock_pairs, 100000);
    measure("cond-one", cond_on_one_core, 10000);
    measure("cond-two", cond_on_two_cores, 10000);
    measure("futex-one", futex_on_one_core, 10000);
    measure("futex-two", futex_on_two_cores, 10000);
    measure("thread", threads, 100);
    return 0;
}
