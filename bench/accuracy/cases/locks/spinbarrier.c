/*
 * Two threads meet at a hand-made barrier that spins: nothing a profiler could hook, and waiting looks like
 * work. Planted: the long line pays until it is the short one: 25, 33, 33 %; the short line nothing.
 *
 * yieldbarrier: likewise, but who waits gives its core away each time around, though nobody wants it.
 *
 * @case spinbarrier
 * @case yieldbarrier --set gives=1
 */
#include "case.h"

#include <sched.h>

static unsigned long_steps = 9 * MS / 10, short_steps = 3 * MS / 5;
static unsigned gives;
static unsigned arrived, phase;

static void meet(void)
{
    unsigned now = __atomic_load_n(&phase, __ATOMIC_RELAXED);

    if (__atomic_add_fetch(&arrived, 1, __ATOMIC_ACQ_REL) == 2) {
        __atomic_store_n(&arrived, 0, __ATOMIC_RELAXED);
        __atomic_store_n(&phase, now + 1, __ATOMIC_RELEASE);
    }
    while (__atomic_load_n(&phase, __ATOMIC_ACQUIRE) == now)
        if (gives)
            sched_yield();
}

static void *short_work(void *unused)
{
    unsigned x = 1;

    for (;;) {
        WORK(x, short_steps); /* TARGET short */
        meet();
    }
    return unused;
}

int main(int argc, char **argv)
{
    const struct knob knobs[] = {{"long", &long_steps}, {"short", &short_steps}, {"gives", &gives}};
    unsigned x = 1;

    case_start(argc, argv, knobs, 3);
    start_thread(short_work, NULL);
    for (;;) {
        WORK(x, long_steps); /* TARGET long */
        meet();
        VISIT();
    }
}
