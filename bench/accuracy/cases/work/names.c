/*
 * Two threads that run the same line, and are told apart by their names only: one has 1.5 times the work of the
 * other, and they meet at a barrier. Planted: the longer one pays until it is the shorter one, so 25, 33, 33 %; the
 * shorter one nothing.
 *
 * @case names
 * @target long thread:long
 * @target short thread:short
 */
#include "case.h"

static unsigned long_steps = 9 * MS / 10, short_steps = 6 * MS / 10;
static pthread_barrier_t barrier;

static void run(const char *name, const unsigned *steps, int visits)
{
    unsigned x = 1;

    pthread_setname_np(pthread_self(), name);
    for (;;) {
        WORK(x, *steps);
        pthread_barrier_wait(&barrier);
        if (visits)
            VISIT();
    }
}

static void *run_short(void *unused)
{
    run("short", &short_steps, 0);
    return unused;
}

int main(int argc, char **argv)
{
    const struct knob knobs[] = {{"long", &long_steps}, {"short", &short_steps}};

    case_start(argc, argv, knobs, 2);
    pthread_barrier_init(&barrier, NULL, 2);
    start_thread(run_short, NULL);
    run("long", &long_steps, 1);
}
