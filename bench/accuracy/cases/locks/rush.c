/*
 * Two threads that take one lock all the time, each for a few tens of nanoseconds and every few hundred, as
 * programs do whose library has one lock for its memory; a visit is a hundred turns. Planted: each line pays
 * its share of the time, and a little more for what is waited less; what waiting takes natively is the
 * machine's affair.
 *
 * @case rush
 */
#include "case.h"

static unsigned inside_steps = 100, beside_steps = 400;

static void *work(void *lock)
{
    unsigned x = 1;

    for (;;) {
        for (int i = 0; i < 100; i++) {
            pthread_mutex_lock(lock);
            WORK(x, inside_steps); /* TARGET inside */
            pthread_mutex_unlock(lock);
            WORK(x, beside_steps); /* TARGET beside */
        }
        VISIT();
    }
    return NULL;
}

int main(int argc, char **argv)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    const struct knob knobs[] = {{"inside", &inside_steps}, {"beside", &beside_steps}};

    case_start(argc, argv, knobs, 2);
    start_thread(work, &lock);
    work(&lock);
}
