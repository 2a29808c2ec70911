#include "runtime/core/departure.h"

#include "runtime/core/descriptors.h"
#include "runtime/core/kernel.h"

#include <time.h>

enum { LONGEST_WAIT_MS = 1000 };

atomic_bool departure_left;
static _Atomic unsigned working; /* threads that are at it */

bool departure_begin_work(void)
{
    atomic_fetch_add(&working, 1);
    if (likely(!atomic_load(&departure_left)))
        return true;
    departure_end_work();
    return false;
}

/* After a handler has forked in the middle of our work, the child finishes that work, but its count began at
 * 0 again: so it must not go below. */
void departure_end_work(void)
{
    unsigned now = atomic_load(&working);
    while (now && !atomic_compare_exchange_weak(&working, &now, now - 1))
        ;
}

void departure_after_fork(void)
{
    atomic_store(&working, 0);
}

/* Perf events are closed here. Timers are left: each fires once at most. */
void departure_leave(void)
{
    atomic_store(&departure_left, true);
    for (int i = 0; i < LONGEST_WAIT_MS && atomic_load(&working); i++)
        kernel_call(SYS_nanosleep, (long)&(struct timespec){.tv_nsec = 1000000}, 0, 0, 0, 0, 0);
    descriptors_after_fork();
}
