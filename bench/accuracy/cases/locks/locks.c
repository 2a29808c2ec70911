/*
 * Two threads, each taking and giving back a lock of its own every half of a microsecond, as programs do
 * whose libraries lock "to be sure"; a visit is a hundred turns. Nobody ever waits. Planted: each line pays
 * its share of the time, less what locking takes.
 *
 * @case locks
 */
#include "case.h"

static unsigned inside_steps = 150, beside_steps = 100;

static void *work(void *unused)
{
    pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;
    unsigned x = 1;

    for (;;) {
        for (int i = 0; i < 100; i++) {
            pthread_mutex_lock(&own);
            WORK(x, inside_steps); /* TARGET inside */
            pthread_mutex_unlock(&own);
            WORK(x, beside_steps); /* TARGET beside */
        }
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
