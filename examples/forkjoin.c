/*
 * Fork-join: each round starts two threads and waits for both. One has 1.5 times the work of the other.
 *
 * The planted answer. The long thread bounds the round, until it is no longer the long one: making its line
 * faster by 25 % takes 25 % off a round, but 50 % or more only 33 % (a point or two less: threads take time
 * to start). The short thread's line does nothing, whatever it costs - though an ordinary profiler gives it
 * 40 % of the samples.
 *
 * Ask for the truth by really making a line faster:
 *
 *     forkjoin --cut-long 25      forkjoin --cut-short 25
 */
#include "example.h"

#include <coz.h>

enum { LONG_STEPS = 900000, SHORT_STEPS = 600000 };

static unsigned long_steps, short_steps;
static volatile unsigned sink; /* so that the compiler keeps the work */

static void *long_work(void *seed)
{
    unsigned x = *(unsigned *)seed;

    for (unsigned i = 0; i < long_steps; x = MIX(x, 2246822519u), i++) /* the bottleneck */
        continue;
    sink = x;
    return NULL;
}

static void *short_work(void *seed)
{
    unsigned x = *(unsigned *)seed;

    for (unsigned i = 0; i < short_steps; x = MIX(x, 3266489917u), i++) /* always waits for the other */
        continue;
    sink = x;
    return NULL;
}

int main(int argc, char **argv)
{
    struct option_number options[] = {{"--seconds", 30}, {"--cut-long", 0}, {"--cut-short", 0}};
    unsigned rounds = 0;

    parse_options(argc, argv, options, 3);
    long_steps = cut(LONG_STEPS, options[1].value);
    short_steps = cut(SHORT_STEPS, options[2].value);

    double start = now_seconds(), elapsed;
    do {
        pthread_t a = start_thread(long_work, &rounds);
        pthread_t b = start_thread(short_work, &rounds);

        pthread_join(a, NULL);
        pthread_join(b, NULL);
        rounds++;
        COZ_PROGRESS_NAMED("round");
        elapsed = now_seconds() - start;
    } while (elapsed < options[0].value);

    printf("%u rounds in %.2f s: %.1f rounds/s\n", rounds, elapsed, rounds / elapsed);
    return 0;
}
