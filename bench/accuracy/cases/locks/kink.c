/*
 * Two threads meet at a barrier, and have as good as the same to do. Planted: `near` is just off the critical path.
 * Slower it costs in full, 25 and 50 % slower about 22 and 45 %; faster it gains nothing.
 *
 * @case kink
 * @cuts kink -50 -25 25 50
 */
#include "case.h"

static unsigned near_steps = 39 * MS / 40, far_steps = MS, near_slower;
static pthread_barrier_t barrier;

static void *near_work(void *unused)
{
    unsigned x = 1;

    for (;;) {
        WORK(x, near_steps); /* TARGET near */
        pthread_barrier_wait(&barrier);
    }
    return unused;
}

int main(int argc, char **argv)
{
    const struct knob knobs[] = {{"near", &near_steps}, {"far", &far_steps}, {"near-slower", &near_slower}};
    unsigned x = 1;

    case_start(argc, argv, knobs, 3);
    near_steps += near_steps / 100 * near_slower;
    pthread_barrier_init(&barrier, NULL, 2);
    start_thread(near_work, NULL);
    for (;;) {
        WORK(x, far_steps);
        pthread_barrier_wait(&barrier);
        VISIT();
    }
}
