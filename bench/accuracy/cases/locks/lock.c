/*
 * Two threads, each three quarters of its time inside the one lock and a quarter beside it.
 * Planted: the lock is always held, so the line inside it pays all (25, 50, 75 % less what waking a thread
 * costs) and the line beside it nothing.
 *
 * @case lock
 * @case lock-beside-20ms --set sleeper=20000
 */
#include "case.h"

static unsigned inside_steps = 9 * MS / 10, beside_steps = 3 * MS / 10;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *unused)
{
    unsigned x = 1;

    for (;;) {
        pthread_mutex_lock(&lock);
        WORK(x, inside_steps); /* TARGET inside */
        pthread_mutex_unlock(&lock);
        WORK(x, beside_steps); /* TARGET beside */
        VISIT();
    }
    return unused;
}

int main(int argc, char **argv)
{
    const struct knob knobs[] = {{"inside", &inside_steps}, {"beside", &beside_steps}};

    case_start(argc, argv, knobs, 2);
    start_thread(work, NULL);
    work(NULL);
}
