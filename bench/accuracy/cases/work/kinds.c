/*
 * More CPU-bound threads than cores (two are meant), of two kinds: half of them visit, the others only compute.
 * Planted: who visits has half of the cores, whatever it does there, so each of its lines pays its share of its own
 * time: 15, 30, 45 % and 10, 20, 30 %. The others' line pays nothing.
 *
 * @case kinds
 * @case kinds-8 --set threads=8
 */
#include "case.h"

static unsigned big_steps = 6 * MS / 5, small_steps = 4 * MS / 5, other_steps = MS / 2, threads = 4;

static void *visit(void *unused)
{
    unsigned x = 1;

    for (;;) {
        WORK(x, big_steps);   /* TARGET big */
        WORK(x, small_steps); /* TARGET small */
        VISIT();
    }
    return unused;
}

static void *compute(void *unused)
{
    unsigned x = 1;

    for (;;)
        WORK(x, other_steps); /* TARGET other */
    return unused;
}

int main(int argc, char **argv)
{
    const struct knob knobs[] = {
        {"big", &big_steps}, {"small", &small_steps}, {"other", &other_steps}, {"threads", &threads}};

    case_start(argc, argv, knobs, 4);
    for (unsigned i = 1; i < threads; i++)
        start_thread(i % 2 ? compute : visit, NULL);
    visit(NULL);
}
