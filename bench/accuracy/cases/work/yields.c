/*
 * Four threads (two cores are meant) that compute, work in the line, and then give their core away, each round.
 * Planted: each line pays its share of the work: 12, 25, 37 %. They call nothing else that tells how far they
 * are, and stand in the run queue for half of the time, inside of sched_yield().
 *
 * @case yields
 */
#include "case.h"
#include "uneven.h"

#include <sched.h>

static unsigned first_steps = MS / 18, last_steps = MS / 18, threads = 4;

static void *take_turns(void *number)
{
    unsigned x = 1 + (unsigned)(uintptr_t)number;

    for (;;) {
        WORK(x, uneven(first_steps, x)); /* TARGET first */
        WORK(x, uneven(last_steps, x));  /* TARGET last */
        sched_yield();
        VISIT();
    }
    return number;
}

int main(int argc, char **argv)
{
    const struct knob knobs[] = {{"first", &first_steps}, {"last", &last_steps}, {"threads", &threads}};

    case_start(argc, argv, knobs, 3);
    for (uintptr_t i = 1; i < threads; i++)
        start_thread(take_turns, (void *)i);
    take_turns(NULL);
}
