/* Four threads on one core, each of which gives it away after every piece of work: most of the time each of them stands
 * in the run queue, inside sched_yield().
 *
 *     turns [--ms N | --until FILE] */
#include "../target.h"

#include <coz.h>
#include <sched.h>

enum { THREADS = 4, STEPS = 60000 };

static struct span span;

static void *take_turns(void *unused)
{
    for (unsigned x = 1; !is_over(span);) {
        for (int i = 0; i < STEPS; x = MIX(x, 2246822519u), i++) /* the line of work */
            __asm__ volatile("" : "+r"(x));
        sched_yield(); /* the line of yields */
        COZ_PROGRESS_NAMED("turn");
    }
    return unused;
}

int main(int argc, char **argv)
{
    pthread_t threads[THREADS];
    cpu_set_t one;
    span = span_option(argc, argv);
    CPU_ZERO(&one);
    CPU_SET((size_t)sched_getcpu(), &one);
    must(sched_setaffinity(0, sizeof one, &one));
    for (int i = 0; i < THREADS; i++)
        must(pthread_create(&threads[i], NULL, take_turns, NULL));
    for (int i = 0; i < THREADS; i++)
        must(pthread_join(threads[i], NULL));
    puts("done");
    return 0;
}
