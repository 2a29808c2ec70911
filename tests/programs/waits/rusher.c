/* Two threads that take one lock all the time, each for a tenth of a microsecond in every half. A hundred turns are a
 * visit.
 *
 *     rusher [--ms N | --until FILE]      as target.h says */
#include "../target.h"

#include <coz.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_bool over;

/* It is wanted: no compiler shortens the work. */
static void pin(unsigned x)
{
    __asm__ volatile("" : : "r"(x));
}

static void *rush(void *unused)
{
    unsigned x = 1;
    while (!atomic_load(&over)) {
        for (int turn = 0; turn < 100; turn++) {
            must(pthread_mutex_lock(&lock));
            for (int i = 0; i < 50; i++, pin(x))
                x = MIX(x, 2246822519u); /* held line */
            must(pthread_mutex_unlock(&lock));
            for (int i = 0; i < 200; i++, pin(x))
                x = MIX(x, 3266489917u);
        }
        COZ_PROGRESS_NAMED("turns");
    }
    return unused;
}

int main(int argc, char **argv)
{
    struct span span = span_option(argc, argv);
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        must(pthread_create(&threads[i], NULL, rush, NULL));
    while (!is_over(span))
        usleep(20000);
    atomic_store(&over, true);
    for (int i = 0; i < 2; i++)
        must(pthread_join(threads[i], NULL));
    return 0;
}
