/*
 * A keeper that is in the way the more, the sooner it is back: it thinks, and then holds the lock that every visit
 * of the worker takes, for a tenth of the time. Planted: the faster it thinks, the larger is its part of the lock,
 * so that thinking 25, 50, 75 % faster costs about 3, 10, 30 %. What the worker does inside and beside the lock
 * pays its share.
 *
 * @case convoy
 */
#include "case.h"

static unsigned think_steps = 9 * MS, tidy_steps = MS, inside_steps = MS / 5, beside_steps = MS / 5;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *keep(void *unused)
{
    unsigned x = 1;

    for (;;) {
        WORK(x, think_steps); /* TARGET think */
        pthread_mutex_lock(&lock);
        WORK(x, tidy_steps);
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

int main(int argc, char **argv)
{
    const struct knob knobs[] = {
        {"think", &think_steps}, {"tidy", &tidy_steps}, {"inside", &inside_steps}, {"beside", &beside_steps}};
    unsigned x = 1;

    case_start(argc, argv, knobs, 4);
    start_thread(keep, NULL);
    for (;;) {
        WORK(x, beside_steps);
        pthread_mutex_lock(&lock);
        WORK(x, inside_steps); /* TARGET inside */
        pthread_mutex_unlock(&lock);
        VISIT();
    }
}
