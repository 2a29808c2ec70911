/*
 * One thread holds a lock while it sleeps, as if it wrote to a disk; the other wants it, and works then. What is
 * cut is how long the lock is held: the holder sleeps on for as long, without it. Planted: the wait for the lock
 * pays its share of the round, about half of it: 13, 27, 41 %.
 *
 * @case held
 */
#include "case.h"
#include "rest.h"

#include <semaphore.h>

static unsigned hold_us = 4000, work_steps = 4 * MS;
static const unsigned sleep_us = 4000;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t meeting;
static sem_t held;

static void *holder(void *unused)
{
    be_sharp();
    for (;;) {
        struct timespec hold = microseconds(hold_us);

        pthread_mutex_lock(&lock);
        sem_post(&held);
        nanosleep(&hold, NULL);
        pthread_mutex_unlock(&lock);
        hold = microseconds(sleep_us - hold_us);
        nanosleep(&hold, NULL);
        pthread_barrier_wait(&meeting);
    }
    return unused;
}

int main(int argc, char **argv)
{
    const struct knob knobs[] = {{"hold", &hold_us}, {"work", &work_steps}};
    unsigned x = 1;

    case_start(argc, argv, knobs, 2);
    pthread_barrier_init(&meeting, NULL, 2);
    sem_init(&held, 0, 0);
    start_thread(holder, NULL);
    for (;;) {
        while (sem_wait(&held) != 0)
            ;
        pthread_mutex_lock(&lock); /* TARGET hold WAIT */
        pthread_mutex_unlock(&lock);
        WORK(x, work_steps);
        pthread_barrier_wait(&meeting);
        VISIT();
    }
}
