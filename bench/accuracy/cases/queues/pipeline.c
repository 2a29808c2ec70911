/*
 * Three stages with bounded queues between them; one, two and one threads serve them. A visit is an item that
 * comes out. Each thread has its core, as a pipeline that is meant to be fast has (left to the kernel, where
 * the four threads happened to sit decided what a cut brought).
 *
 * In the first case the last stage has one core, all others the other, and the last is the bottleneck.
 * Planted: last 25, 39, 39 % (then the other core is full), the others nothing.
 *
 * In the second the last stage shares its core with one thread of the middle. The queue before the last stage
 * is mostly full, and both threads of the middle get a turn at it as places come free: so that core is what
 * bounds, and both of its lines pay, middle about 12, 24, 36 %, last 20, 27, 32 %; first pays nothing.
 *
 * @case pipeline-last
 * @case pipeline-full --set first=100000 --set middle=600000 --set last=300000 --set helper-core=1
 */
#include "case.h" /* first: it asks for all of the system's headers */

#include "bounded.h"
#include "cores.h"

static unsigned first_steps = 3 * MS / 20, middle_steps = 2 * MS / 5, last_steps = 9 * MS / 10, helper_core;
static struct bounded to_middle = BOUNDED_INIT, to_last = BOUNDED_INIT;

static void *first(void *unused)
{
    unsigned x = 1;

    keep_on(0);
    for (;;) {
        WORK(x, first_steps); /* TARGET first */
        bounded_put(&to_middle, x);
    }
    return unused;
}

static void *middle(void *core)
{
    keep_on(*(unsigned *)core);
    for (;;) {
        unsigned x = bounded_get(&to_middle);

        WORK(x, middle_steps); /* TARGET middle */
        bounded_put(&to_last, x);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    const struct knob knobs[] = {{"first", &first_steps},
                                 {"middle", &middle_steps},
                                 {"last", &last_steps},
                                 {"helper-core", &helper_core}};
    static unsigned first_core = 0;

    case_start(argc, argv, knobs, 4);
    start_thread(first, NULL);
    start_thread(middle, &first_core);
    start_thread(middle, &helper_core);
    keep_on(1);
    for (;;) {
        unsigned x = bounded_get(&to_last);

        WORK(x, last_steps); /* TARGET last */
        VISIT();
    }
}
