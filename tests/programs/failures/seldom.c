/* Works in small units, and says once a second that it goes on: its progress point is there, too.
 *
 *     seldom [--ms N | --until FILE] [--fine 1]
 *
 * --fine: at the end of each unit. */
#include "../target.h"

#include <coz.h>

enum { STEPS = 400000 };

static volatile unsigned sum;

static unsigned work(unsigned x)
{
    for (int i = 0; i < STEPS; x = MIX(x, 2246822519u), i++)
        continue;
    return x;
}

int main(int argc, char **argv)
{
    struct span span = span_option(argc, argv);
    bool is_fine = number_option(argc, argv, "--fine", 0) != 0;
    double next_ms = now_ms() + 1000;
    while (!is_over(span)) {
        sum = work(sum);
        if (is_fine)
            COZ_PROGRESS_NAMED("unit");
        if (now_ms() < next_ms)
            continue;
        next_ms += 1000;
        if (!is_fine)
            COZ_PROGRESS_NAMED("second");
    }
    return 0;
}
