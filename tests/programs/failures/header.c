/* Two kinds of work, both of which tell of their progress by a function in a header.
 *
 *     header [--ms N | --until FILE]
 *
 * With OWN_POINT, that which matters has a point of its own. */
#include "header.h"

#include "../target.h"

enum { STEPS = 400000, CHORE_STEPS = 4000 };

static volatile unsigned sum, chore_sum;

__attribute__((noinline)) static void serve_request(void)
{
    unsigned x = sum;
    for (int i = 0; i < STEPS; x = MIX(x, 2246822519u), i++)
        continue;
    sum = x;
#ifdef OWN_POINT
    COZ_PROGRESS_NAMED("request");
#else
    note_done();
#endif
}

__attribute__((noinline)) static void do_chore(void)
{
    unsigned x = chore_sum;
    for (int i = 0; i < CHORE_STEPS; x = MIX(x, 3266489917u), i++)
        continue;
    chore_sum = x;
#ifndef OWN_POINT
    note_done();
#endif
}

int main(int argc, char **argv)
{
    struct span span = span_option(argc, argv);
    while (!is_over(span)) {
        serve_request();
        for (int i = 0; i < 5; i++)
            do_chore();
    }
    return 0;
}
