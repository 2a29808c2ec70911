/*
 * The work is in a function that was inlined in two places.
 * Planted: its line pays its share, from both places together.
 *
 * @case inlined
 */
#include "case.h"

static unsigned inner_steps = MS / 2, other_steps = 3 * MS / 5;

static inline __attribute__((always_inline)) unsigned stir(unsigned x)
{
    WORK(x, inner_steps); /* TARGET inner */
    return x;
}

int main(int argc, char **argv)
{
    const struct knob knobs[] = {{"inner", &inner_steps}, {"other", &other_steps}};
    unsigned x = 1;

    case_start(argc, argv, knobs, 2);
    for (;;) {
        x = stir(x);
        WORK(x, other_steps); /* TARGET other */
        x = stir(x + 1);
        VISIT();
    }
}
