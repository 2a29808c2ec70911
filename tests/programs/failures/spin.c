/* One thread works, and another waits in a loop for each piece of work to be done.
 *
 *     spin [--ms N | --until FILE] [--announced 1]
 *
 * --announced: it says so, by the macros for that. */
#include "../target.h"

#include <coz.h>
#include <stdatomic.h>

enum { STEPS = 400000 };

static volatile unsigned sum;
static atomic_bool is_wanted, is_done, ends;

static unsigned work(unsigned x)
{
    for (int i = 0; i < STEPS; x = MIX(x, 2246822519u), i++)
        continue;
    return x;
}

static void *serve(void *unused)
{
    const struct timespec rest = {0, 20000};
    while (!atomic_load(&ends)) {
        if (!atomic_exchange(&is_wanted, false)) {
            nanosleep(&rest, NULL);
            continue;
        }
        sum = work(sum);
        atomic_store(&is_done, true);
    }
    return unused;
}

static void await_done(void)
{
    while (!atomic_load(&is_done)) /* spinning line */
        continue;
    atomic_store(&is_done, false);
}

int main(int argc, char **argv)
{
    struct span span = span_option(argc, argv);
    bool is_announced = number_option(argc, argv, "--announced", 0) != 0;
    pthread_t server;
    must(pthread_create(&server, NULL, serve, NULL));
    while (!is_over(span)) {
        atomic_store(&is_wanted, true);
        if (is_announced)
            COZ_PRE_BLOCK;
        await_done();
        if (is_announced)
            COZ_POST_BLOCK(1);
        COZ_PROGRESS_NAMED("piece");
    }
    atomic_store(&ends, true);
    must(pthread_join(server, NULL));
    return 0;
}
