/* Many threads that each lock a mutex of their own, with a little work in between, and in the end meet again. With the
 * library of count.c around it, what they write meanwhile is counted: crowd THREADS LOCKS */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include <coz.h>

enum { MOST = 256 };

static pthread_barrier_t barrier;
static long locks;

static struct {
    _Alignas(128) pthread_mutex_t lock;
    unsigned long sum;
} own[MOST];

static void *work(void *number)
{
    size_t i = (size_t)number;
    pthread_mutex_init(&own[i].lock, NULL);
    pthread_barrier_wait(&barrier);
    pthread_barrier_wait(&barrier); /* counting has begun */
    for (long k = 0; k < locks; k++) {
        pthread_mutex_lock(&own[i].lock);
        for (int times = 0; times < 100; times++)
            own[i].sum = own[i].sum * 5 + 1;
        pthread_mutex_unlock(&own[i].lock);
        if (k % 1000 == 0)
            COZ_PROGRESS_NAMED("crowd");
    }
    pthread_barrier_wait(&barrier);
    pthread_barrier_wait(&barrier); /* counting has ended */
    return NULL;
}

static void call(const char *name)
{
    void *function = dlsym(RTLD_DEFAULT, name);
    if (function)
        ((void (*)(void))function)();
}

int main(int argc, char **argv)
{
    static pthread_t threads[MOST];
    size_t count = argc == 3 ? strtoul(argv[1], NULL, 10) : 0;
    if (count == 0 || count > MOST) {
        fputs("usage: crowd THREADS LOCKS\n", stderr);
        return 2;
    }
    locks = strtol(argv[2], NULL, 10);
    pthread_barrier_init(&barrier, NULL, (unsigned)count + 1);
    for (size_t i = 0; i < count; i++)
        if (pthread_create(&threads[i], NULL, work, (void *)i))
            return 1;
    pthread_barrier_wait(&barrier);
    call("count_lines_begin");
    pthread_barrier_wait(&barrier);
    pthread_barrier_wait(&barrier);
    call("count_lines_end");
    pthread_barrier_wait(&barrier);
    for (size_t i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
    printf("HOOKS %ld\n", 2 * locks * (long)count);
    return 0;
}
