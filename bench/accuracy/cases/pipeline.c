/*
 * Three stages with bounded queues between them; one, two and one threads serve them. A visit is an item that
 * comes out. Planted: in the first case the last stage is the bottleneck: 25, 44, 57 % (then the two cores
 * are full), the others nothing. In the second the cores are full from the start, so that each line pays its
 * share of the CPU time, until the middle is so fast that the last stage bounds: middle 15, 30, 40 %, last 8,
 * 15, 22 %.
 *
 * @case pipeline-last
 * @case pipeline-full --set first=100000 --set middle=600000 --set last=300000
 */
#include "bounded.h"
#include "case.h"

static unsigned first_steps = 3 * MS / 20, middle_steps = 2 * MS / 5, last_steps = 9 * MS / 10;
static struct bounded to_middle = BOUNDED_INIT, to_last = BOUNDED_INIT;

static void *first(void *unused)
{
    unsigned x = 1;

    for (;;) {
        WORK(x, first_steps); /* TARGET first */
        bounded_put(&to_middle, x);
    }
    return unused;
}

static void *middle(void *unused)
{
    for (;;) {
        unsigned x = bounded_get(&to_middle);

        WORK(x, middle_steps); /* TARGET middle */
        bounded_put(&to_last, x);
    }
    return unused;
}

int main(int argc, char **argv)
{
    const struct knob knobs[] = {{"first", &first_steps}, {"middle", &middle_steps}, {"last", &last_steps}};

    case_start(argc, argv, knobs, 3);
    start_thread(first, NULL);
    start_thread(middle, NULL);
    start_thread(middle, NULL);
    for (;;) {
        unsigned x = bounded_get(&to_last);

        WORK(x, last_steps); /* TARGET last */
        VISIT();
    }
}
