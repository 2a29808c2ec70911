/*
 * Two threads compute inside of a lock and beside it, and there is one core for both. With a second one they wait for
 * the lock instead. Planted: 25 % or so.
 *
 * @case cores-lock
 * @cuts cores-lock 100
 * @target missing wait:queue
 */
#include "case.h"
#include "cores.h"

static unsigned missing = 1, inside_steps = 150, beside_steps = 50; /* steps: in thousandths of a MS */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *second)
{
    unsigned x = 1;

    keep_on(second && !missing ? 1 : 0);
    for (;;) {
        pthread_mutex_lock(&lock);
        WORK(x, MS / 1000 * inside_steps);
        pthread_mutex_unlock(&lock);
        WORK(x, MS / 1000 * beside_steps);
        VISIT();
    }
    return second;
}

int main(int argc, char **argv)
{
    const struct knob knobs[] = {{"missing", &missing}, {"inside", &inside_steps}, {"beside", &beside_steps}};

    case_start(argc, argv, knobs, 3);
    start_thread(work, &missing);
    work(NULL);
}
