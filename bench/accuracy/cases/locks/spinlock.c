/*
 * Two threads and a spin lock: who finds it taken burns CPU time until it is free.
 * Planted: the line inside pays until the threads hardly meet: 25, 42, 54 %; the line beside about nothing,
 * or worse.
 *
 * @case spinlock
 */
#include "case.h"

static unsigned inside_steps = 9 * MS / 10, beside_steps = 3 * MS / 5;
static pthread_spinlock_t lock;

static void *work(void *unused)
{
    unsigned x = 1;

    for (;;) {
        pthread_spin_lock(&lock);
        WORK(x, inside_steps); /* TARGET inside */
        pthread_spin_unlock(&lock);
        WORK(x, beside_steps); /* TARGET beside */
        VISIT();
    }
    return unused;
}

int main(int argc, char **argv)
{
    const struct knob knobs[] = {{"inside", &inside_steps}, {"beside", &beside_steps}};

    case_start(argc, argv, knobs, 2);
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    start_thread(work, NULL);
    work(NULL);
}
