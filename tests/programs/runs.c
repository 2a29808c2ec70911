/* Threads that run for a few microseconds at a time, threads that live for 100, and one that does neither:
 * each kind in a line of its own, for a quarter of a second of CPU time. The first kind, most of whose time goes to
 * waiting and waking, gets four times as much. */
#include "target.h"

#include <coz.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>

enum { BUDGET_MS = 250, SHORT = 2000, LIFE = 30000 };

static sem_t turns[2];
static atomic_bool done;
static volatile unsigned sum;

static double cpu_ms(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

static void take_turns(int mine)
{
    double end = cpu_ms() + 4 * BUDGET_MS;
    unsigned x = 1;
    while (!done) {
        sem_wait(&turns[mine]);
        for (int i = 0; i < SHORT; i++)
            x = MIX(x, 2654435761u); /* short line */
        done = done || cpu_ms() > end;
        COZ_PROGRESS_NAMED("turn");
        sem_post(&turns[!mine]);
    }
    sum = x;
}

static void *other(void *nothing)
{
    take_turns(1);
    return nothing;
}

static void *brief(void *nothing)
{
    unsigned x = 1;
    for (int i = 0; i < LIFE; i++)
        x = MIX(x, 2246822519u); /* brief line */
    sum = x;
    return nothing;
}

static void run(void *(*routine)(void *))
{
    pthread_t thread;
    must(pthread_create(&thread, NULL, routine, NULL));
    must(pthread_join(thread, NULL));
}

static void *last(void *nothing)
{
    unsigned x = 1;
    for (double end = cpu_ms() + BUDGET_MS; cpu_ms() < end;)
        for (int i = 0; i < LIFE; i++)
            x = MIX(x, 3266489917u); /* long line */
    sum = x;
    return nothing;
}

int main(void)
{
    pthread_t thread;
    must(sem_init(&turns[0], 0, 1) || sem_init(&turns[1], 0, 0) ? errno : 0);
    must(pthread_create(&thread, NULL, other, NULL));
    take_turns(0);
    must(pthread_join(thread, NULL));
    for (double end = cpu_ms() + BUDGET_MS; cpu_ms() < end;)
        run(brief);
    run(last);
    puts("done");
    return 0;
}
