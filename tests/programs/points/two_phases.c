/* A phase that visits its progress point three thousand times and is over at once, and one that visits another point as
 * long as it lasts.
 *
 *     two_phases --until FILE */
#include "../target.h"

#include <coz.h>

static volatile unsigned sum;

static void work(unsigned steps)
{
    unsigned x = 1;
    for (unsigned i = 0; i < steps; i++)
        x = MIX(x, 40503u);
    sum = x;
}

int main(int argc, char **argv)
{
    struct span span = span_option(argc, argv);
    for (int i = 0; i < 3000; i++) {
        work(1000);
        COZ_PROGRESS_NAMED("first");
    }
    while (!is_over(span)) {
        work(100000);
        COZ_PROGRESS_NAMED("second");
    }
    return 0;
}
