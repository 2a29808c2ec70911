/*
 * Two threads meet at a barrier. One computes for longer; the other also waits, with a time limit that it computes
 * from the clock, in vain.
 * Planted: the long line pays until the other thread is the last: about 24, 37, 37 %; the short line nothing. What
 * the other thread pays on its way to that wait must not use the time limit up.
 *
 * @case limit
 */
#include "case.h"

static unsigned long_steps = 4 * MS / 5, short_steps = 3 * MS / 10;
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
        wait_in_vain(100);
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
