/* Rounds of fork-join and of a lock, a progress point each:
 *
 *     rounds N
 *
 * Does N rounds (0: for ever) and prints how many milliseconds the last half of them took, and a sum that
 * depends on nothing but N. */
#include <coz.h>

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { STEPS = 400000 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static uint64_t sum;

static void *work(void *seed)
{
    uint32_t x = (uint32_t)(uintptr_t)seed;
    for (int i = 0; i < STEPS; i++)
        x = (x ^ x >> 15) * 2654435761u + 1u;
    pthread_mutex_lock(&mutex);
    sum += x;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

static double now_ms(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

int main(int argc, char **argv)
{
    unsigned long count = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
    double half = now_ms();
    for (unsigned long round = 0; !count || round < count; round++) {
        pthread_t thread;
        if (round == count / 2)
            half = now_ms();
        if (pthread_create(&thread, NULL, work, (void *)(uintptr_t)round))
            return 1;
        work((void *)(uintptr_t)(round + 1));
        pthread_join(thread, NULL);
        COZ_PROGRESS_NAMED("round");
    }
    printf("%.1f %llu\n", now_ms() - half, (unsigned long long)sum);
    return 0;
}
