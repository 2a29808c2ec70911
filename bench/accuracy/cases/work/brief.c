/*
 * Threads that live 100 us: started in pairs and joined, four pairs a visit; each of a pair has its core.
 * Planted: as in fork-join, but the short thread is started later by what it takes to start a thread, and so
 * bounds as soon as the long one has lost a quarter: long about 15, 15, 15 %, short nothing. A
 * profiler that starts each thread's sampling with a full period never sees them.
 *
 * @case brief
 * @drifts brief
 */
#include "case.h"
#include "cores.h"

static unsigned long_steps = MS / 8, short_steps = MS / 12;

static void *long_work(void *unused)
{
    unsigned x = 1;

    keep_on(0);
    WORK(x, long_steps); /* TARGET long */
    return unused;
}

static void *short_work(void *unused)
{
    unsigned x = 1;

    keep_on(1);
    WORK(x, short_steps); /* TARGET short */
    return unused;
}

int main(int argc, char **argv)
{
    const struct knob knobs[] = {{"long", &long_steps}, {"short", &short_steps}};

    case_start(argc, argv, knobs, 2);
    for (;;) {
        for (int pair = 0; pair < 4; pair++) {
            pthread_t a = start_thread(long_work, NULL);
            pthread_t b = start_thread(short_work, NULL);

            pthread_join(a, NULL);
            pthread_join(b, NULL);
        }
        VISIT();
    }
}
