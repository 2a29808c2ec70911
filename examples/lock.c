/*
 * One lock, two threads: each works inside the lock, then half as long again beside it. So the threads fall
 * into step, one inside while the other is beside, and the lock is hardly ever found taken.
 *
 * The planted answer. The line beside the lock is harmful: make it 50 % faster and both threads come back to
 * the lock too early, find it taken, go to sleep and have to be woken, which costs more than was saved - the
 * program is slower by a third or more (by how much depends on what waking a thread costs on this machine).
 * The line inside the lock is what pays. It takes two cores or more.
 *
 *     lock --cut-beside 50      lock --cut-inside 50
 */
#include "example.h"

#include <coz.h>

enum { INSIDE_STEPS = 14000, BESIDE_STEPS = 21000 };

static unsigned inside_steps, beside_steps;
static volatile unsigned sink;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned total; /* under the lock */

static void *work(void *end)
{
    unsigned x = 1, y = 1;

    while (now_seconds() < *(double *)end) {
        pthread_mutex_lock(&lock);
        for (unsigned i = 0; i < inside_steps; x = MIX(x, 2246822519u), i++) /* inside the lock */
            continue;
        total++;
        pthread_mutex_unlock(&lock);
        for (unsigned i = 0; i < beside_steps; y = MIX(y, 3266489917u), i++) /* beside the lock */
            continue;
        COZ_PROGRESS_NAMED("pass");
    }
    sink = x + y;
    return NULL;
}

int main(int argc, char **argv)
{
    struct option_number options[] = {{"--seconds", 30}, {"--cut-inside", 0}, {"--cut-beside", 0}};

    parse_options(argc, argv, options, 3);
    inside_steps = cut(INSIDE_STEPS, options[1].value);
    beside_steps = cut(BESIDE_STEPS, options[2].value);

    double start = now_seconds(), end = start + options[0].value;
    pthread_t a = start_thread(work, &end);
    pthread_t b = start_thread(work, &end);
    pthread_join(a, NULL);
    pthread_join(b, NULL);

    double elapsed = now_seconds() - start;
    printf("%u passes in %.2f s: %.1f passes/s\n", total, elapsed, total / elapsed);
    return 0;
}
