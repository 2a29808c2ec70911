#include "experiment/schedule/heartbeat.h"

#include "base/clock.h"

#include <signal.h>
#include <time.h>

/* Older than SEGMENT_DOUBT_NS, threads would begin to ask for us. */
static const uint64_t beat_every_ns = 50000000;
/* A thread that only beats is never so late while the machine runs. */
static const uint64_t standstill_ns = 200000000;
/* Whoever is to end the windows may be late, but not for ever. */
static const uint64_t attention_ns = 10000000000;

/* What passed since the last beat, if that is more than a beat's lateness. */
static uint64_t gap_ns(uint64_t last_ns, uint64_t now_ns)
{
    return now_ns > last_ns + standstill_ns ? now_ns - last_ns : 0;
}

static void heartbeat_beat(struct heartbeat *heartbeat)
{
    _Atomic uint64_t *last_ns = &heartbeat->segment->heartbeat_ns;
    uint64_t now_ns = clock_wall_ns();
    if (now_ns > atomic_load(&heartbeat->attended_ns) + attention_ns)
        return;
    atomic_fetch_add(&heartbeat->missed_ns, gap_ns(atomic_load(last_ns), now_ns));
    atomic_store(last_ns, now_ns);
}

static void *heartbeat_run(void *context)
{
    struct heartbeat *heartbeat = context;
    pthread_mutex_lock(&heartbeat->lock);
    while (!heartbeat->ends) {
        heartbeat_beat(heartbeat);
        uint64_t next_ns = clock_wall_ns() + beat_every_ns;
        struct timespec next = {(time_t)(next_ns / 1000000000), (long)(next_ns % 1000000000)};
        pthread_cond_timedwait(&heartbeat->ended, &heartbeat->lock, &next);
    }
    pthread_mutex_unlock(&heartbeat->lock);
    return NULL;
}

int heartbeat_start(struct heartbeat *heartbeat, struct segment *segment)
{
    uint64_t now_ns = clock_wall_ns();
    pthread_condattr_t attributes;
    sigset_t all, before;
    *heartbeat = (struct heartbeat){.segment = segment, .attended_ns = now_ns};
    atomic_store(&segment->heartbeat_ns, now_ns);
    pthread_mutex_init(&heartbeat->lock, NULL);
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&heartbeat->ended, &attributes);
    pthread_condattr_destroy(&attributes);
    /* Signals are for the controller's own thread: they end its sleep. */
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    int rc = pthread_create(&heartbeat->thread, NULL, heartbeat_run, heartbeat);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (rc)
        heartbeat->segment = NULL;
    return -rc;
}

void heartbeat_stop(struct heartbeat *heartbeat)
{
    if (!heartbeat->segment)
        return;
    pthread_mutex_lock(&heartbeat->lock);
    heartbeat->ends = true;
    pthread_cond_signal(&heartbeat->ended);
    pthread_mutex_unlock(&heartbeat->lock);
    pthread_join(heartbeat->thread, NULL);
    pthread_cond_destroy(&heartbeat->ended);
    pthread_mutex_destroy(&heartbeat->lock);
    heartbeat->segment = NULL;
}

void heartbeat_attend(struct heartbeat *heartbeat, uint64_t now_ns)
{
    atomic_store(&heartbeat->attended_ns, now_ns);
}

uint64_t heartbeat_missed_ns(const struct heartbeat *heartbeat, uint64_t now_ns)
{
    if (!heartbeat->segment)
        return 0;
    uint64_t missed_ns = atomic_load(&heartbeat->missed_ns);
    return missed_ns + gap_ns(atomic_load(&heartbeat->segment->heartbeat_ns), now_ns);
}
