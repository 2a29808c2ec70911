/*
 * A line that only frees and allocates, in sizes that the allocator keeps no quick list for, beside one that
 * computes. Planted: each pays its share.
 *
 * @case malloc
 */
#include "case.h"

enum { SLOTS = 64 };

static unsigned rounds = 8000, other_steps = MS / 2;
static void *volatile slots[SLOTS];

int main(int argc, char **argv)
{
    const struct knob knobs[] = {{"allocate", &rounds}, {"other", &other_steps}};
    unsigned x = 1;

    case_start(argc, argv, knobs, 2);
    for (;;) {
        for (unsigned i = 0; i < rounds; i++)
            free(slots[i % SLOTS]), slots[i % SLOTS] = malloc(2000 + i % 7 * 64); /* TARGET allocate */
        WORK(x, other_steps);                                                     /* TARGET other */
        VISIT();
    }
}
