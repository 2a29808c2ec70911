/*
 * Two threads meet at a barrier every 0.4 ms; one has a third more to do than the other.
 * Planted: the long line pays until it is the short one: 19, 24, 24 % (the threads' waking is part of a
 * phase); the short line nothing. So little happens between two meetings that a profiler must dose its delays
 * finely.
 *
 * With a thread beside them that only sleeps and wakes, the answers are the same.
 *
 * limit: the long line takes longer, and the other thread also waits, with a time limit that it computes from the
 * clock, in vain. The long line pays until that thread is the last: about 24, 37, 37 %; the short line nothing. What
 * the thread pays on its way to that wait must not use the time limit up.
 *
 * @case barrier
 * @case barrier-beside-1ms --set sleeper=1000
 * @case barrier-beside-20ms --set sleeper=20000
 * @case barrier-beside-100ms --set sleeper=100000
 * @case barrier-beside-1s --set sleeper=1000000
 * @case limit --set long=400000 --set limit=100
 */
#include "case.h"

static unsigned long_steps = 2 * MS / 5, short_steps = 3 * MS / 10;
static unsigned limit_us;
static pthread_barrier_t barrier;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;

static void wait_in_vain(long us)
{
    struct timespec until;

    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += us * 1000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_mutex_lock(&mutex);
    pthread_cond_timedwait(&never, &mutex, &until);
    pthread_mutex_unlock(&mutex);
}

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
        if (limit_us)
            wait_in_vain(limit_us);
        pthread_barrier_wait(&barrier);
    }
    return unused;
}

int main(int argc, char **argv)
{
    const struct knob knobs[] = {{"long", &long_steps}, {"short", &short_steps}, {"limit", &limit_us}};

    case_start(argc, argv, knobs, 3);
    pthread_barrier_init(&barrier, NULL, 2);
    start_thread(short_work, NULL);
    long_work(NULL);
}
