/* What the shapes of programs here have in common. Each is built twice: as it was, and with CHANGED defined, as it is
 * after the one change that coz pointed at. They go on until they are ended, or have done as many units as their argument
 * says. */
#pragma once

#include <coz.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of the program's own work: neither inlined, nor known to whoever calls it, nor one with another that does the same. */
#define STEP __attribute__((noinline, noclone, no_icf))

static _Atomic long units_left = -1;

/* A unit of work is done. */
#define UNIT(name)                                                                                           \
    do {                                                                                                     \
        COZ_PROGRESS_NAMED(name);                                                                            \
        if (atomic_fetch_sub_explicit(&units_left, 1, memory_order_relaxed) == 1)                            \
            exit(0);                                                                                         \
    } while (0)

static inline uint32_t random_next(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 32);
}

static inline double random_unit(uint64_t *state)
{
    return (random_next(state) + 0.5) / 4294967296.0;
}

/* Runs the body in so many threads, which get their numbers. */
static inline int run_threads(void *(*body)(void *), int count, int argc, char **argv)
{
    pthread_t threads[16];
    if (argc > 1)
        units_left = atol(argv[1]);
    for (int i = 0; i < count; i++)
        if (pthread_create(&threads[i], NULL, body, (void *)(intptr_t)i)) {
            fputs("cannot start a thread\n", stderr);
            return 1;
        }
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
    return 0;
}

/* A queue with room for some items. */
struct queue {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    void *items[8];
    unsigned put, taken;
};

#define QUEUE_EMPTY                                                                                          \
    {                                                                                                        \
        PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, {NULL}, 0, 0                                    \
    }

static inline void queue_put(struct queue *queue, void *item)
{
    enum { ROOM = sizeof queue->items / sizeof *queue->items };
    pthread_mutex_lock(&queue->lock);
    while (queue->put - queue->taken == ROOM)
        pthread_cond_wait(&queue->changed, &queue->lock);
    queue->items[queue->put++ % ROOM] = item;
    pthread_cond_broadcast(&queue->changed);
    pthread_mutex_unlock(&queue->lock);
}

static inline void *queue_take(struct queue *queue)
{
    enum { ROOM = sizeof queue->items / sizeof *queue->items };
    pthread_mutex_lock(&queue->lock);
    while (queue->put == queue->taken)
        pthread_cond_wait(&queue->changed, &queue->lock);
    void *item = queue->items[queue->taken++ % ROOM];
    pthread_cond_broadcast(&queue->changed);
    pthread_mutex_unlock(&queue->lock);
    return item;
}
