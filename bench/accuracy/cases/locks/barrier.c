/*
 * Two threads meet at a barrier every 0.4 ms; one has a third more to do than the other.
 * Planted: the long line pays until it is the short one: 19, 24, 24 % (the threads' waking is part of a
 * phase); the short line nothing. So little happens between two meetings that a profiler must dose its delays
 * finely.
 *
 * With a thread beside them that only sleeps and wakes, the answers are the same.
 *
 * @case barrier
 * @case barrier-beside-1ms --set sleeper=1000
 * @case barrier-beside-20ms --set sleeper=20000
 * @case barrier-beside-100ms --set sleeper=100000
 * @case barrier-beside-1s --set sleeper=1000000
 */
#include "case.h"

static unsigned long_steps = 2 * MS / 5, short_steps = 3 * MS / 10;
static pthread_barrier_t barrier;

static void *long_work(void *unused)
{
    unsigned x = 1;

    for (;;) {
        WORK(x, long_steps); /* TARGET long */
        pthread_barrier_wait(&barrier);
        VISIT();
    }
    return unused;
}

static void *short_work(void *unused)
{
    unsigned x = 1;

    for (;;) {
        WORK(x, short_steps); /* TARGET short */
        pthread_barrier_wait(&barrier);
    }
    return unused;
}

int main(int argc, char **argv)
{
    const struct knob knobs[] = {{"long", &long_steps}, {"short", &short_steps}};

    case_start(argc, argv, knobs, 2);
    pthread_barrier_init(&barrier, NULL, 2);
    start_thread(short_work, NULL);
    long_work(NULL);
}
