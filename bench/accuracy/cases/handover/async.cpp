/*
 * Fork-join by std::async: a visit starts two tasks and takes both results.
 * Planted: the long line pays until it is the short one: 25, 33, 33 % or a little less; the short line
 * nothing.
 *
 * @case async
 */
#include "case.h"

#include <future>

static unsigned long_steps = 9 * MS / 5, short_steps = 6 * MS / 5;

static unsigned long_task(unsigned x)
{
    WORK(x, long_steps); /* TARGET long */
    return x;
}

static unsigned short_task(unsigned x)
{
    WORK(x, short_steps); /* TARGET short */
    return x;
}

int main(int argc, char **argv)
{
    const struct knob knobs[] = {{"long", &long_steps}, {"short", &short_steps}};
    unsigned x = 1;

    case_start(argc, argv, knobs, 2);
    for (;;) {
        auto a = std::async(std::launch::async, long_task, x);
        auto b = std::async(std::launch::async, short_task, x);

        x = a.get() + b.get();
        VISIT();
    }
}
