/* Rounds of two threads that run the same code, and are told apart by their names only: pool-long has three times
 * the work of pool-short. The first names itself, the second is named by main, which is called pools and does a little
 * of its own meanwhile, to be seen.
 *
 *     pools [--ms N | --until FILE] */
#include "target.h"

#include <coz.h>
#include <sys/prctl.h>

enum { SHORT = 100000, LONG = 3 * SHORT, LITTLE = SHORT / 2, LEAST_ROUNDS = 100 };

static pthread_barrier_t begin, end;
static volatile unsigned sum;

static unsigned spin(unsigned x, int steps)
{
    for (int i = 0; i < steps; x = MIX(x, 2246822519u), i++) /* both pools' line */
        continue;
    return x;
}

static void *work(void *steps)
{
    int own = *(int *)steps;
    if (own == LONG)
        prctl(PR_SET_NAME, "pool-long");
    for (;;) {
        pthread_barrier_wait(&begin);
        sum += spin((unsigned)own, own);
        pthread_barrier_wait(&end);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    struct span span = span_option(argc, argv);
    int steps[] = {LONG, SHORT};
    pthread_t threads[2];
    must(pthread_barrier_init(&begin, NULL, 3));
    must(pthread_barrier_init(&end, NULL, 3));
    for (int i = 0; i < 2; i++)
        must(pthread_create(&threads[i], NULL, work, &steps[i]));
    must(pthread_setname_np(threads[1], "pool-short"));
    for (unsigned rounds = 0; rounds < LEAST_ROUNDS || !is_over(span); rounds++) {
        pthread_barrier_wait(&begin);
        sum += spin(rounds, LITTLE);
        pthread_barrier_wait(&end);
        COZ_PROGRESS_NAMED("round");
    }
    puts("done");
    exit(0);
}
