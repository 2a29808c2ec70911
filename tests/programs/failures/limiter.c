/* Draws frames, sixty a second, and sleeps for the rest of each.
 *
 *     limiter [--ms N | --until FILE] [--free 1]
 *
 * --free: as many frames as it can. */
#include "../target.h"

#include <coz.h>

enum { STEPS = 600000 };

static volatile unsigned sum;

static unsigned draw(unsigned x)
{
    for (int i = 0; i < STEPS; x = MIX(x, 2246822519u), i++)
        continue;
    return x;
}

static void sleep_until(double ms)
{
    double rest_ms = ms - now_ms();
    struct timespec rest = {0, (long)(rest_ms * 1e6)};
    if (rest_ms > 0)
        nanosleep(&rest, NULL);
}

int main(int argc, char **argv)
{
    struct span span = span_option(argc, argv);
    bool is_free = number_option(argc, argv, "--free", 0) != 0;
    while (!is_over(span)) {
        double next_ms = now_ms() + 1000.0 / 60;
        sum = draw(sum);
        if (!is_free)
            sleep_until(next_ms);
        COZ_PROGRESS_NAMED("frame");
    }
    return 0;
}
