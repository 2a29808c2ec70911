/*
 * Two threads sleep and compute, and meet each round: one sleeps for long, the other briefly. Planted: the long
 * nap 25, 33, 33 % or so, until the other side is the longer one; the short one nothing.
 *
 * @case naps
 */
#include "case.h"
#include "rest.h"

static unsigned long_us = 3000, short_us = 1000, long_steps = MS / 2, short_steps = MS;
static pthread_barrier_t meeting;

static void *brief(void *unused)
{
    unsigned x = 1;

    be_sharp();
    for (;;) {
        struct timespec nap = microseconds(short_us);

        nanosleep(&nap, NULL); /* TARGET short WAIT */
        WORK(x, short_steps);
        pthread_barrier_wait(&meeting);
    }
    return unused;
}

int main(int argc, char **argv)
{
    const struct knob knobs[] = {{"long", &long_us}, {"short", &short_us}};
    unsigned x = 1;

    case_start(argc, argv, knobs, 2);
    be_sharp();
    pthread_barrier_init(&meeting, NULL, 2);
    start_thread(brief, NULL);
    for (;;) {
        struct timespec nap = microseconds(long_us);

        nanosleep(&nap, NULL); /* TARGET long WAIT */
        WORK(x, long_steps);
        pthread_barrier_wait(&meeting);
        VISIT();
    }
}
