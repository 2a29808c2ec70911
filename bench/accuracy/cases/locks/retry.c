/*
 * A transaction that begins anew when a writer came meanwhile. Planted: the faster the writer is back, the more is
 * done in vain, so that its line costs, and the more the faster it is; the transaction's own line pays more than its
 * share, for a shorter one is disturbed more rarely. The writer's pauses are of unlike lengths, half to one and a half
 * times the mean: else both would fall into step.
 *
 * @case retry
 */
#include "case.h"

static unsigned think_steps = 20 * MS, transact_steps = MS;
static volatile unsigned long version;

static void *write_often(void *unused)
{
    unsigned x = 1, chance = 1;

    for (;;) {
        chance = chance * 1664525u + 1013904223u;
        WORK(x, think_steps / 2 + think_steps / 256 * (chance >> 24)); /* TARGET think */
        __atomic_add_fetch(&version, 1, __ATOMIC_SEQ_CST);
    }
    return unused;
}

int main(int argc, char **argv)
{
    const struct knob knobs[] = {{"think", &think_steps}, {"transact", &transact_steps}};
    unsigned x = 1;

    case_start(argc, argv, knobs, 2);
    start_thread(write_often, NULL);
    for (;;) {
        unsigned long before;

        do {
            before = __atomic_load_n(&version, __ATOMIC_SEQ_CST);
            WORK(x, transact_steps); /* TARGET transact */
        } while (__atomic_load_n(&version, __ATOMIC_SEQ_CST) != before);
        VISIT();
    }
}
