/* Four threads that work, each by itself.
 *
 *     four [--ms N | --until FILE] */
#include "../target.h"

#include <coz.h>

enum { STEPS = 400000, THREADS = 4 };

static volatile unsigned sum;
static struct span span;

static void *work(void *unused)
{
    unsigned x = 1;
    while (!is_over(span)) {
        for (int i = 0; i < STEPS; x = MIX(x, 2246822519u), i++)
            continue;
        COZ_PROGRESS_NAMED("piece");
    }
    sum = x;
    return unused;
}

int main(int argc, char **argv)
{
    pthread_t threads[THREADS];
    span = span_option(argc, argv);
    for (int i = 0; i < THREADS; i++)
        must(pthread_create(&threads[i], NULL, work, NULL));
    for (int i = 0; i < THREADS; i++)
        must(pthread_join(threads[i], NULL));
    return 0;
}
