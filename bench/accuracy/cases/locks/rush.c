/*
 * Two threads that take one lock all the time, each for 0.2 us in every 1, as programs do whose library has one
 * lock for its memory; a visit is a hundred turns. Planted: each line pays its share of the time, and a little
 * more for what is waited less. What waiting takes natively is the machine's affair: the more often two meet at a
 * mutex, the more often each asks the kernel, so that the last cut may cost more than it saves.
 *
 * @case rush
 * @case rush-spinlock --set kind=1
 * @case rush-rwlock --set kind=2
 * @case rush-semaphore --set kind=3
 */
#include "case.h"

#include <semaphore.h>

enum kind { MUTEX, SPINLOCK, RWLOCK, SEMAPHORE };

static unsigned inside_steps = 100, beside_steps = 400, kind = MUTEX;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_spinlock_t spinlock;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static sem_t semaphore;

static inline void lock(void)
{
    switch ((enum kind)kind) {
    case MUTEX:
        pthread_mutex_lock(&mutex);
        break;
    case SPINLOCK:
        pthread_spin_lock(&spinlock);
        break;
    case RWLOCK:
        pthread_rwlock_wrlock(&rwlock);
        break;
    case SEMAPHORE:
        while (sem_wait(&semaphore))
            continue;
        break;
    }
}

static inline void unlock(void)
{
    switch ((enum kind)kind) {
    case MUTEX:
        pthread_mutex_unlock(&mutex);
        break;
    case SPINLOCK:
        pthread_spin_unlock(&spinlock);
        break;
    case RWLOCK:
        pthread_rwlock_unlock(&rwlock);
        break;
    case SEMAPHORE:
        sem_post(&semaphore);
        break;
    }
}

static void *work(void *unused)
{
    unsigned x = 1;

    for (;;) {
        for (int i = 0; i < 100; i++) {
            lock();
            WORK(x, inside_steps); /* TARGET inside */
            unlock();
            WORK(x, beside_steps); /* TARGET beside */
        }
        VISIT();
    }
    return unused;
}

int main(int argc, char **argv)
{
    const struct knob knobs[] = {{"inside", &inside_steps}, {"beside", &beside_steps}, {"kind", &kind}};

    case_start(argc, argv, knobs, 3);
    pthread_spin_init(&spinlock, 0);
    sem_init(&semaphore, 0, 1);
    start_thread(work, NULL);
    work(NULL);
}
