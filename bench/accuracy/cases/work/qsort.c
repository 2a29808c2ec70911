/*
 * The C library calls back: a line that sorts strings by strcmp, so that all its time is two calls deep in
 * the C library, and a comparison of our own that qsort calls. Planted: each pays its share.
 *
 * @case qsort
 * @drifts qsort
 */
#include "case.h"

enum { STRINGS = 256, LENGTH = 16, NUMBERS = 64 };

typedef int comparison(const void *, const void *);

static unsigned sorts = 40, compare_steps = 800;
static char shuffled[STRINGS][LENGTH], strings[STRINGS][LENGTH];

static int compare_slowly(const void *a, const void *b)
{
    unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;
    int order = (x > y) - (x < y);

    WORK(x, compare_steps); /* TARGET compare */
    return order;
}

int main(int argc, char **argv)
{
    const struct knob knobs[] = {{"sort", &sorts}, {"compare", &compare_steps}};
    unsigned numbers[NUMBERS];

    case_start(argc, argv, knobs, 2);
    srand(1);
    for (int i = 0; i < STRINGS; i++)
        snprintf(shuffled[i], LENGTH, "name %d", rand() % 1000000);
    for (;;) {
        for (unsigned i = 0; i < sorts; i++) {
            memcpy(strings, shuffled, sizeof strings);
            qsort(strings, STRINGS, LENGTH, (comparison *)strcmp); /* TARGET sort */
        }
        for (unsigned i = 0; i < NUMBERS; i++)
            numbers[i] = i * 2654435761u;
        qsort(numbers, NUMBERS, sizeof *numbers, compare_slowly);
        VISIT();
    }
}
