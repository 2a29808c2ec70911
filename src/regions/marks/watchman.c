#include "regions/marks/watchman.h"

#include "base/clock.h"
#include "base/random.h"

#include <pthread.h>
#include <signal.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed;
static bool prepared, is_there, is_to_go;
static pthread_t watchman;
static struct watchman does;

/* Under the mutex. False: it is to go. */
static bool sleep_for(uint64_t ns)
{
    uint64_t until_ns = clock_wall_ns() + ns;
    struct timespec until = {(time_t)(until_ns / 1000000000), (long)(until_ns % 1000000000)};
    while (!is_to_go && clock_wall_ns() < until_ns)
        pthread_cond_timedwait(&changed, &mutex, &until);
    return !is_to_go;
}

static void *watch(void *unused)
{
    uint64_t random = clock_wall_ns();
    pthread_mutex_lock(&mutex);
    while (sleep_for(does.least_ns + random_below(&random, does.most_ns - does.least_ns))) {
        pthread_mutex_unlock(&mutex);
        does.comes_by();
        pthread_mutex_lock(&mutex);
    }
    pthread_mutex_unlock(&mutex);
    return unused;
}

/* Under the mutex. */
static bool prepare(void)
{
    pthread_condattr_t attributes;
    if (prepared || pthread_condattr_init(&attributes) != 0)
        return prepared;
    prepared = pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC) == 0 &&
               pthread_cond_init(&changed, &attributes) == 0;
    pthread_condattr_destroy(&attributes);
    return prepared;
}

/* No signal of the program's is handled by this thread. */
static bool create(void)
{
    sigset_t all, before;
    sigfillset(&all);
    if (pthread_sigmask(SIG_SETMASK, &all, &before) != 0)
        return false;
    bool done = pthread_create(&watchman, NULL, watch, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return done;
}

bool watchman_start(const struct watchman *what)
{
    pthread_mutex_lock(&mutex);
    if (!is_there && prepare()) {
        does = *what;
        is_to_go = false;
        is_there = create();
    }
    bool is_now = is_there;
    pthread_mutex_unlock(&mutex);
    return is_now;
}

void watchman_stop(void)
{
    pthread_mutex_lock(&mutex);
    bool was_there = is_there;
    is_to_go = true;
    is_there = false;
    if (was_there)
        pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
    if (was_there)
        pthread_join(watchman, NULL);
}

void watchman_forked(void)
{
    is_there = false;
    is_to_go = false;
    pthread_mutex_init(&mutex, NULL);
    prepared = false;
}
