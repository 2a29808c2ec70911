/* What is noticed only afterwards of a time in which a thread waited is credited then, and not paid. */
#include "probe.h"

#include "base/clock.h"
#include "shared/growth.h"

#include <semaphore.h>

enum { WAITS = 300, CLIMB_NS = 1000000, WAIT_US = 2000 };

static sem_t go, done;
static _Atomic uint64_t woken_ns;
static _Atomic bool is_noted;

static void *wait_and_settle(void *unused)
{
    for (int i = 0; i < WAITS; i++) {
        sem_wait(&go);
        atomic_store(&woken_ns, clock_wall_ns());
        while (!atomic_load(&is_noted))
            ;
        atomic_store(&is_noted, false);
        sem_post(&done); /* it is level then */
    }
    return unused;
}

/* The thread is back; for a millisecond before that, a step comes late. */
static void note_late_step(void)
{
    uint64_t back_ns;
    while (!(back_ns = atomic_exchange(&woken_ns, 0)))
        ;
    uint64_t required_ns = atomic_load(&probe_segment->due.required_ns);
    struct growth_climb climb = {back_ns - WAIT_US * 1000 / 2 - CLIMB_NS / 2, CLIMB_NS, required_ns,
                                 required_ns + CLIMB_NS};
    atomic_fetch_add(&probe_segment->due.required_ns, CLIMB_NS);
    growth_note_climb(probe_segment, &climb, clock_wall_ns());
    atomic_store(&is_noted, true);
}

int main(void)
{
    pthread_t thread;
    probe_attach();
    probe_name = "a late step";
    must(sem_init(&go, 0, 0) || sem_init(&done, 0, 0));
    probe_segment->period_ns = 10000000; /* "soon after" is 60 ms: a machine may be slow */
    must(pthread_create(&thread, NULL, wait_and_settle, NULL));
    uint64_t credited = atomic_load(&probe_segment->credited_runqueue_ns);
    for (int i = 0; i < WAITS; i++) {
        usleep(WAIT_US);
        sem_post(&go);
        note_late_step();
        sem_wait(&done);
    }
    must(pthread_join(thread, NULL));
    credited = atomic_load(&probe_segment->credited_runqueue_ns) - credited;
    expect(credited >= (uint64_t)WAITS / 2 * CLIMB_NS * 3 / 4); /* the history has steps of 20 us */
    return probe_failures > 0;
}
