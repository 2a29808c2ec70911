/*
 * A line that only calls memmove, beside one that computes.
 * Planted: each pays its share. All of the first one's time is in the C library.
 *
 * @case memmove
 * @drifts memmove
 */
#include "case.h"

enum { BLOCK = 64 * 1024 };

static unsigned moves = 600, other_steps = MS / 2;

int main(int argc, char **argv)
{
    const struct knob knobs[] = {{"move", &moves}, {"other", &other_steps}};
    char *block = calloc(1, BLOCK + 64);
    unsigned x = 1;

    case_start(argc, argv, knobs, 2);
    for (;;) {
        for (unsigned i = 0; i < moves; i++)
            memmove(block + 64 * (i & 1), block + 64 * (~i & 1), BLOCK); /* TARGET move */
        __asm__ volatile("" : : "r"(block) : "memory");
        WORK(x, other_steps); /* TARGET other */
        VISIT();
    }
}
