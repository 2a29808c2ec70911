/*
 * More CPU-bound threads than cores (two are meant), none waits for another; each passes two lines a visit.
 * Planted: what counts is CPU time, so each line pays its share: 15, 30, 45 % and 10, 20, 30 %.
 *
 * @case crowd-8
 * @case crowd-8-beside-20ms --set sleeper=20000
 * @case crowd-32 --set threads=32
 * @least crowd-8 0.2
 * @least crowd-8-beside-20ms 0.2
 * @least crowd-32 0.5
 */
#include "case.h"

static unsigned big_steps = 6 * MS / 5, small_steps = 4 * MS / 5, threads = 8;

static void *work(void *unused)
{
    unsigned x = 1;

    for (;;) {
        WORK(x, big_steps);   /* TARGET big */
        WORK(x, small_steps); /* TARGET small */
        VISIT();
    }
    return unused;
}

int main(int argc, char **argv)
{
    const struct knob knobs[] = {{"big", &big_steps}, {"small", &small_steps}, {"threads", &threads}};

    case_start(argc, argv, knobs, 3);
    for (unsigned i = 1; i < threads; i++)
        start_thread(work, NULL);
    work(NULL);
}
