/* One thread that never waits for anything, beside one that works, sleeps and counts.
 *
 *     bystander --until FILE */
#include "target.h"

#include <coz.h>

static volatile unsigned sum;

static void *stand_by(void *nothing)
{
    for (unsigned x = 1;; sum = x)
        for (int i = 0; i < 100000; i++)
            x = MIX(x, 2654435761u); /* standing line */
    return nothing;
}

int main(int argc, char **argv)
{
    struct span span = span_option(argc, argv);
    pthread_t thread;
    must(pthread_create(&thread, NULL, stand_by, NULL));
    for (unsigned x = 1; !is_over(span); sum = x) {
        for (int i = 0; i < 100000; i++)
            x = MIX(x, 40503u);
        usleep(400);
        COZ_PROGRESS_NAMED("unit");
    }
    return 0;
}
