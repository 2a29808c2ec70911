#include "runtime/core/departure.h"

#include "runtime/core/descriptors.h"
#include "runtime/core/kernel.h"

#include <stdalign.h>
#include <time.h>

enum { LONGEST_WAIT_MS = 1000, GROUPS = 64 };

alignas(64) atomic_bool departure_left;

/* Threads that are at it. All of them write there all the time: so each counts in its group's own line, which up to so many
 * threads have to themselves. */
static struct {
    alignas(64) _Atomic unsigned working;
} groups[GROUPS];
static _Atomic unsigned next_group;
static __thread unsigned own_group; /* from 1; 0: none yet */

static _Atomic unsigned *own_working(void)
{
    if (unlikely(!own_group))
        own_group = 1 + atomic_fetch_add(&next_group, 1) % GROUPS;
    return &groups[own_group - 1].working;
}

static bool somebody_works(void)
{
    for (int i = 0; i < GROUPS; i++)
        if (atomic_load(&groups[i].working))
            return true;
    return false;
}

bool departure_begin_work(void)
{
    atomic_fetch_add(own_working(), 1);
    if (likely(!atomic_load(&departure_left)))
        return true;
    departure_end_work();
    return false;
}

/* After a handler has forked in the middle of our work, the child finishes that work, but its count began at
 * 0 again: so it must not go below. */
void departure_end_work(void)
{
    _Atomic unsigned *working = own_working();
    unsigned now = atomic_load(working);
    while (now && !atomic_compare_exchange_weak(working, &now, now - 1))
        ;
}

void departure_after_fork(void)
{
    for (int i = 0; i < GROUPS; i++)
        atomic_store(&groups[i].working, 0);
}

/* Perf events are closed here. Timers are left: each fires once at most. */
void departure_leave(void)
{
    atomic_store(&departure_left, true);
    for (int i = 0; i < LONGEST_WAIT_MS && somebody_works(); i++)
        kernel_call(SYS_nanosleep, (long)&(struct timespec){.tv_nsec = 1000000}, 0, 0, 0, 0, 0);
    descriptors_after_fork();
}
