/*
 * A producer, a queue of eight, a consumer; a visit is an item consumed.
 * Planted: the slower side's line pays until it is the faster one, 25, 33, 33 %; the other line nothing.
 *
 * @case queue-consumer
 * @case queue-beside-20ms --set sleeper=20000
 * @case queue-producer --set produce=450000 --set consume=300000
 */
#include "bounded.h"
#include "case.h"

static unsigned produce_steps = 3 * MS / 5, consume_steps = 9 * MS / 10;
static struct bounded queue = BOUNDED_INIT;

static void *produce(void *unused)
{
    unsigned x = 1;

    for (;;) {
        WORK(x, produce_steps); /* TARGET produce */
        bounded_put(&queue, x);
    }
    return unused;
}

int main(int argc, char **argv)
{
    const struct knob knobs[] = {{"produce", &produce_steps}, {"consume", &consume_steps}};

    case_start(argc, argv, knobs, 2);
    start_thread(produce, NULL);
    for (;;) {
        unsigned x = bounded_get(&queue);

        WORK(x, consume_steps); /* TARGET consume */
        VISIT();
    }
}
