/* Threads that live for about a millisecond, or for as long as so many steps take, two at a time.
 *
 *     lives [--pairs N] [--steps N] */
#include "target.h"

#include <coz.h>

static volatile unsigned sum;
static int steps;

static void *live(void *nothing)
{
    unsigned x = 1;
    for (int i = 0; i < steps; i++)
        x = MIX(x, 40503u); /* living line */
    sum = x;
    return nothing;
}

int main(int argc, char **argv)
{
    steps = (int)number_option(argc, argv, "--steps", 400000);
    for (double i = number_option(argc, argv, "--pairs", 2000); i > 0; i--) {
        pthread_t first, second;
        must(pthread_create(&first, NULL, live, NULL));
        must(pthread_create(&second, NULL, live, NULL));
        must(pthread_join(first, NULL));
        must(pthread_join(second, NULL));
        COZ_PROGRESS_NAMED("pair");
    }
    return 0;
}
