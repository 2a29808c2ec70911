/*
 * One thread computes and sleeps in turn, 0.4 ms each or so; another computes all the time and nobody asks it
 * to. Planted: the first one's line pays its share of the visit, sleep included; the other one's nothing,
 * though it has two thirds of the samples. Somebody who has slept owes the delays of that time too.
 *
 * @case sleep
 */
#include "case.h"

static unsigned compute_steps = 3 * MS / 5, beside_steps = MS;

static void *beside(void *unused)
{
    unsigned x = 1;

    for (;;)
        WORK(x, beside_steps); /* TARGET beside */
    return unused;
}

int main(int argc, char **argv)
{
    const struct knob knobs[] = {{"compute", &compute_steps}, {"beside", &beside_steps}};
    const struct timespec rest = {0, 400000};
    unsigned x = 1;

    case_start(argc, argv, knobs, 2);
    start_thread(beside, NULL);
    for (;;) {
        WORK(x, compute_steps); /* TARGET compute */
        nanosleep(&rest, NULL);
        VISIT();
    }
}
