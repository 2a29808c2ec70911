/* One thread works, and two others wait in a loop for each piece of work to be done.
 *
 *     spin [--ms N | --until FILE] [--announced 1]
 *
 * --announced: they say so, by the macros for that. */
#include "../target.h"

#include <coz.h>
#include <limits.h>
#include <stdatomic.h>

enum { STEPS = 8000000 }; /* many samples long */

static volatile unsigned sum;
static atomic_uint wanted, finished;
static bool is_announced;

static unsigned work(unsigned x)
{
    for (int i = 0; i < STEPS; x = MIX(x, 2246822519u), i++)
        continue;
    return x;
}

static void *serve(void *unused)
{
    const struct timespec rest = {0, 20000};
    for (unsigned number = 1; atomic_load(&wanted) != UINT_MAX;) {
        if (atomic_load(&wanted) < number) {
            nanosleep(&rest, NULL);
            continue;
        }
        sum = work(sum);
        atomic_store(&finished, number++);
    }
    atomic_store(&finished, UINT_MAX);
    return unused;
}

static void await_piece(unsigned number)
{
    if (is_announced)
        COZ_PRE_BLOCK;
    while (atomic_load(&finished) < number) /* spinning line */
        continue;
    if (is_announced)
        COZ_POST_BLOCK(1);
}

static void *watch(void *unused)
{
    for (unsigned number = 1; atomic_load(&finished) != UINT_MAX; number++)
        await_piece(number);
    return unused;
}

int main(int argc, char **argv)
{
    struct span span = span_option(argc, argv);
    pthread_t server, watcher;
    is_announced = number_option(argc, argv, "--announced", 0) != 0;
    must(pthread_create(&server, NULL, serve, NULL));
    must(pthread_create(&watcher, NULL, watch, NULL));
    for (unsigned number = 1; !is_over(span); number++) {
        atomic_store(&wanted, number);
        await_piece(number);
        COZ_PROGRESS_NAMED("piece");
    }
    atomic_store(&wanted, UINT_MAX);
    must(pthread_join(server, NULL));
    must(pthread_join(watcher, NULL));
    return 0;
}
