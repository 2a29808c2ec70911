/*
 * Two lines that only free and allocate: large blocks, which the allocator keeps in its bins, and small ones,
 * which it keeps in a list for the thread. Planted: each pays its share. All their time is in the C library.
 *
 * All blocks of a line have one size and lie side by side from the start. So a large one cannot merge with a
 * neighbour when it is freed, the next allocation takes it back, and a round costs the same whatever came
 * before. (With mixed sizes, how the heap was cut up decided what a round cost: fewer rounds could take
 * longer.) Both lines are of one kind because what shares the core, a neighbour of a virtual machine for one,
 * slows such code by half and leaves a chain of multiplications as it is: their shares would not stand still.
 *
 * @case malloc
 * @drifts malloc
 */
#include "case.h"

enum { SLOTS = 64, LARGE = 2000, SMALL = 100 };

static unsigned large_rounds = 16000, small_rounds = 24000;
static void *volatile large[SLOTS], *volatile small[SLOTS], *volatile end_of_heap;

int main(int argc, char **argv)
{
    const struct knob knobs[] = {{"large", &large_rounds}, {"small", &small_rounds}};

    case_start(argc, argv, knobs, 2);
    for (int i = 0; i < SLOTS; i++) {
        large[i] = malloc(LARGE);
        small[i] = malloc(SMALL);
    }
    end_of_heap = malloc(LARGE); /* or the last slot would merge with what lies behind it */
    for (;;) {
        for (unsigned i = 0; i < large_rounds; i++)
            free(large[i % SLOTS]), large[i % SLOTS] = malloc(LARGE); /* TARGET large */
        for (unsigned i = 0; i < small_rounds; i++)
            free(small[i % SLOTS]), small[i % SLOTS] = malloc(SMALL); /* TARGET small */
        VISIT();
    }
}
