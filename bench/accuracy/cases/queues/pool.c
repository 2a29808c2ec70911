/*
 * Three producers and two consumers around a queue of two, on two cores; how long an item takes to make has a
 * long tail (half of the time goes into the longest quarter). A visit is an item consumed.
 * Planted: the cores are what there is too little of, so each line nearly pays its share: 13, 30, 46 % and 9,
 * 18, 28 %.
 *
 * @case pool
 * @case pool-beside-20ms --set sleeper=20000
 * @least pool 0.3
 * @least pool-beside-20ms 0.3
 */
#define BOUNDED_SIZE 2
#include "bounded.h"
#include "case.h"

#include <math.h>

static unsigned produce_steps = 3 * MS / 5, consume_steps = 2 * MS / 5;
static struct bounded queue = BOUNDED_INIT;

/* With a mean of one, and seven at most. */
static double long_tailed(unsigned *seed)
{
    double chance = ((*seed = *seed * 1664525u + 1013904223u) >> 8) / 16777216.0;

    return 0.52 / sqrt(chance < 0.005 ? 0.005 : chance);
}

static void *produce(void *argument)
{
    unsigned x = 1, seed = case_seed * 8 + (unsigned)(uintptr_t)argument;

    for (;;) {
        unsigned steps = (unsigned)(long_tailed(&seed) * produce_steps);

        WORK(x, steps); /* TARGET produce */
        bounded_put(&queue, x);
    }
    return argument;
}

static void *consume(void *unused)
{
    for (;;) {
        unsigned x = bounded_get(&queue);

        WORK(x, consume_steps); /* TARGET consume */
        VISIT();
    }
    return unused;
}

int main(int argc, char **argv)
{
    const struct knob knobs[] = {{"produce", &produce_steps}, {"consume", &consume_steps}};

    case_start(argc, argv, knobs, 2);
    for (uintptr_t i = 0; i < 3; i++)
        start_thread(produce, (void *)i);
    start_thread(consume, NULL);
    consume(NULL);
}
