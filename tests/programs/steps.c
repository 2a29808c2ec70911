/* Works in rounds: the heavy line is nearly all of each, the light one runs beside it on a thread of its own.
 *
 *     steps [--ms N | --until FILE] [--status N] [--touch FILE] [--echo TEXT]
 *
 * Runs for so long, and at least 100 rounds, writes its process id to the file after
 * the first 10 rounds, and prints the text in the end. */
#include "target.h"

#include <coz.h>

enum { HEAVY = 400000, LIGHT = 40000, LEAST_ROUNDS = 100, ROUNDS_BEFORE_TOUCH = 10 };

static volatile unsigned heavy_sum, light_sum;

static void *light(void *seed)
{
    unsigned x = *(unsigned *)seed;
    for (int i = 0; i < LIGHT; x = MIX(x, 3266489917u), i++) /* light line */
        continue;
    light_sum = x;
    return NULL;
}

static unsigned heavy(unsigned x)
{
    for (int i = 0; i < HEAVY; x = MIX(x, 2246822519u), i++) /* heavy line */
        continue;
    return x;
}

int main(int argc, char **argv)
{
    struct span span = span_option(argc, argv);
    const char *file = text_option(argc, argv, "--touch", NULL);
    unsigned rounds = 0;
    while (rounds < LEAST_ROUNDS || !is_over(span)) {
        pthread_t thread;
        must(pthread_create(&thread, NULL, light, &rounds));
        heavy_sum = heavy(rounds);
        must(pthread_join(thread, NULL));
        rounds++;
#ifndef WITHOUT_POINT
        COZ_PROGRESS_NAMED("round");
#endif
        if (rounds == ROUNDS_BEFORE_TOUCH && file)
            announce(file);
    }
    puts(text_option(argc, argv, "--echo", "done"));
    return (int)number_option(argc, argv, "--status", 0);
}
