/* A bounded queue as everyone writes it: a ring, one mutex, two conditions. */
#ifndef BOUNDED_H
#define BOUNDED_H

#include <pthread.h>

#ifndef BOUNDED_SIZE
#define BOUNDED_SIZE 8
#endif

struct bounded {
    pthread_mutex_t lock;
    pthread_cond_t not_full, not_empty;
    unsigned items[BOUNDED_SIZE], head, count;
};

#define BOUNDED_INIT                                                                                         \
    {                                                                                                        \
        PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER, {0}, 0, 0             \
    }

static inline void bounded_put(struct bounded *queue, unsigned item)
{
    pthread_mutex_lock(&queue->lock);
    while (queue->count == BOUNDED_SIZE)
        pthread_cond_wait(&queue->not_full, &queue->lock);
    queue->items[(queue->head + queue->count++) % BOUNDED_SIZE] = item;
    pthread_cond_signal(&queue->not_empty);
    pthread_mutex_unlock(&queue->lock);
}

static inline unsigned bounded_get(struct bounded *queue)
{
    pthread_mutex_lock(&queue->lock);
    while (!queue->count)
        pthread_cond_wait(&queue->not_empty, &queue->lock);
    unsigned item = queue->items[queue->head++ % BOUNDED_SIZE];
    queue->count--;
    pthread_cond_signal(&queue->not_full);
    pthread_mutex_unlock(&queue->lock);
    return item;
}

#endif
