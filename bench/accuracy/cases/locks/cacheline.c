/*
 * Two threads that add to one cache line. The visits' thread does little else; the other one thinks, and then adds
 * for a while, during which the line goes to and fro. Planted: the faster it thinks, the more often the line is
 * not there, so that thinking faster costs; how much is the machine's affair. Nothing but the line tells one thread
 * of the other.
 *
 * @case cacheline
 */
#include "case.h"

enum { ADDS = 10000 };

static unsigned think_steps = 40 * MS, burst = 300000, own_steps = MS / 50;
static _Alignas(64) volatile unsigned long line;

static void *disturb(void *unused)
{
    unsigned x = 1;

    for (;;) {
        WORK(x, think_steps); /* TARGET think */
        for (unsigned i = 0; i < burst; i++)
            __atomic_add_fetch(&line, 1, __ATOMIC_RELAXED);
    }
    return unused;
}

int main(int argc, char **argv)
{
    const struct knob knobs[] = {{"think", &think_steps}, {"burst", &burst}, {"own", &own_steps}};
    unsigned x = 1;

    case_start(argc, argv, knobs, 3);
    start_thread(disturb, NULL);
    for (;;) {
        for (unsigned i = 0; i < ADDS; i++)
            __atomic_add_fetch(&line, 1, __ATOMIC_RELAXED);
        WORK(x, own_steps); /* TARGET own */
        VISIT();
    }
}
