/* Two threads that serve requests; each begins and ends, and there is no other progress point.
 *
 *     requests [--ms N | --until FILE] */
#include "target.h"

#include <coz.h>
#include <stdint.h>

enum { STEPS = 400000 };

static struct span span;
static volatile unsigned sums[2];

static void *serve(void *sum)
{
    unsigned x = 1;
    while (!is_over(span)) {
        COZ_BEGIN("request");
        for (int i = 0; i < STEPS; x = MIX(x, 2246822519u), i++) /* its line */
            continue;
        COZ_END("request");
    }
    *(volatile unsigned *)sum = x;
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[2];
    span = span_option(argc, argv);
    for (int i = 0; i < 2; i++)
        must(pthread_create(&threads[i], NULL, serve, (void *)(uintptr_t)&sums[i]));
    for (int i = 0; i < 2; i++)
        must(pthread_join(threads[i], NULL));
    puts("served");
    return 0;
}
