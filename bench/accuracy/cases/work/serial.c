/*
 * One thread, two lines, nothing to wait for.
 * Planted: each line pays its share of the time: 18, 35, 53 % and 7, 15, 22 %. The same when a visit takes
 * 10 us, or 500 ms (then it is made of 300 rounds).
 *
 * @case serial
 * @case often --set big=3500 --set small=1500
 * @case seldom --set rounds=300
 * @least seldom 1.5
 */
#include "case.h"

static unsigned big_steps = 7 * MS / 5, small_steps = 3 * MS / 5, rounds = 1;

int main(int argc, char **argv)
{
    const struct knob knobs[] = {{"big", &big_steps}, {"small", &small_steps}, {"rounds", &rounds}};
    unsigned x = 1;

    case_start(argc, argv, knobs, 3);
    for (;;) {
        for (unsigned i = 0; i < rounds; i++) {
            WORK(x, big_steps);   /* TARGET big */
            WORK(x, small_steps); /* TARGET small */
        }
        VISIT();
    }
}
