/*
 * Two threads meet each round, of which one computes for longer, and there is one core for both. With a second one
 * they compute at once. Planted: 43 % or so, by the shorter's part; half, where both compute as long and seldom meet.
 *
 * @case cores
 * @case cores-even --set short=400 --set rounds=50
 * @cuts cores 100
 * @cuts cores-even 100
 * @target missing wait:queue
 */
#include "cores.h"
#include "case.h"

static unsigned missing = 1, long_steps = 400, short_steps = 300,
                rounds = 1; /* steps: in thousandths of a MS */
static pthread_barrier_t meeting;

static void *shorter(void *unused)
{
    unsigned x = 1;

    keep_on(missing ? 0 : 1);
    for (;;) {
        for (unsigned i = 0; i < rounds; i++)
            WORK(x, MS / 1000 * short_steps);
        pthread_barrier_wait(&meeting);
    }
    return unused;
}

int main(int argc, char **argv)
{
    const struct knob knobs[] = {
        {"missing", &missing}, {"long", &long_steps}, {"short", &short_steps}, {"rounds", &rounds}};
    unsigned x = 1;

    case_start(argc, argv, knobs, 4);
    pthread_barrier_init(&meeting, NULL, 2);
    start_thread(shorter, NULL);
    keep_on(0);
    for (;;) {
        for (unsigned i = 0; i < rounds; i++)
            WORK(x, MS / 1000 * long_steps);
        pthread_barrier_wait(&meeting);
        VISIT();
    }
}
