/* Waits for a lock whose holder sleeps, and for the answer of a peer behind a pipe; each is a visit.
 *
 *     waiter [--ms N | --seconds N ...]      as target.h says */
#include "../target.h"

#include <coz.h>
#include <semaphore.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t held;
static int requests[2], replies[2];

static volatile unsigned sum;

static void work(void)
{
    for (unsigned i = 0, x = sum; i < 100000; i++)
        sum = x = MIX(x, 2654435761u); /* works a little */
}

static void *peer(void *unused)
{
    const struct timespec ms = {.tv_nsec = 1000000};
    char token;
    for (;;) {
        pthread_mutex_lock(&lock);
        must(sem_post(&held));
        nanosleep(&ms, NULL);                    /* holds it */
        pthread_mutex_unlock(&lock);             /* hands it over */
        must(read(requests[0], &token, 1) != 1); /* is asked */
        work();
        nanosleep(&ms, NULL);                    /* takes its time */
        must(write(replies[1], &token, 1) != 1); /* answers */
    }
    return unused;
}

int main(int argc, char **argv)
{
    struct span span = span_option(argc, argv);
    pthread_t thread;
    char token = 0;
    must(sem_init(&held, 0, 0));
    must(pipe(requests));
    must(pipe(replies));
    must(pthread_create(&thread, NULL, peer, NULL));
    while (!is_over(span)) {
        while (sem_wait(&held) != 0)
            continue;
        pthread_mutex_lock(&lock); /* wants it */
        pthread_mutex_unlock(&lock);
        must(write(requests[1], &token, 1) != 1);
        must(read(replies[0], &token, 1) != 1); /* waits for the answer */
        COZ_PROGRESS_NAMED("answer");
    }
    return 0;
}
