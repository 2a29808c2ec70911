/*
 * Fork-join: a visit is a round that starts two threads and joins both; one has 1.5 times the work of the
 * other. Planted: the long line pays until it is the short one, so 25, 33, 33 %; the short line nothing.
 *
 * @case forkjoin
 */
#include "case.h"

static unsigned long_steps = 9 * MS / 5, short_steps = 6 * MS / 5;

static void *long_work(void *unused)
{
    unsigned x = 1;

    WORK(x, long_steps); /* TARGET long */
    return unused;
}

static void *short_work(void *unused)
{
    unsigned x = 1;

    WORK(x, short_steps); /* TARGET short */
    return unused;
}

int main(int argc, char **argv)
{
    const struct knob knobs[] = {{"long", &long_steps}, {"short", &short_steps}};

    case_start(argc, argv, knobs, 2);
    for (;;) {
        pthread_t a = start_thread(long_work, NULL);
        pthread_t b = start_thread(short_work, NULL);

        pthread_join(a, NULL);
        pthread_join(b, NULL);
        VISIT();
    }
}
