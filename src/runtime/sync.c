#include "runtime/sync.h"

#include "base/clock.h"
#include "runtime/pause.h"
#include "runtime/stretch.h"

#include <errno.h>

/* A thread of a process that was left is off from here on; its timer and its slot are the process's end's. */
static bool begin_work(struct thread *thread)
{
    thread->on = runtime_begin_work();
    return thread->on;
}

void sync_settle_slowly(uintptr_t at)
{
    struct thread *thread = &thread_current;
    if (!thread->on || thread->guard || !begin_work(thread))
        return;
    int saved = errno;
    if (unlikely(thread->waits)) /* it left a call that waited: cancelled, or by an exception */
        thread_set_waits(thread, false);
    thread_enter(thread);
    if (stretch_is_followed(thread)) {
        struct instant now;
        ramp_hold(thread);
        uint64_t in_target = stretch_turn(thread, at, &now);
        ramps_fold(thread);
        stretch_skip(thread, now, pause_settle(thread, in_target, now));
        stretch_publish(thread);
    } else {
        struct instant now = instant_now();
        ramps_fold(thread);
        pause_settle(thread, 0, now);
    }
    thread_leave(thread);
    runtime_end_work();
    errno = saved;
}

void sync_wait_begin_slowly(uintptr_t at)
{
    struct thread *thread = &thread_current;
    sync_settle_at(at);
    ramp_hide(thread);
    thread_set_waits(thread, true);
    thread->wait_began_ns = clock_wall_ns();
    thread->wait_paid_ns = atomic_load_explicit(thread->account.paid_ns, memory_order_relaxed);
}

void sync_wait_end_slowly(enum sync_waker waker)
{
    struct thread *thread = &thread_current;
    thread_set_waits(thread, false);
    bool followed = stretch_is_followed(thread);
    if (thread->guard || sync_is_calm() || !begin_work(thread))
        return;
    thread_enter(thread);
    ramps_fold(thread);
    struct instant now = instant_now();
    if (waker != WOKEN_BY_OUTSIDE) {
        uint64_t waited = now.wall_ns - thread->wait_began_ns;
        ledger_credit_wake(&thread->account, runtime_segment, thread->wait_paid_ns + waited);
        pause_mark(thread, now);
    }
    if (followed) {
        if (waker == SPUN_FOR_PEER)
            stretch_anew(thread, now);
        else
            stretch_waited(thread, now);
        stretch_publish(thread);
    }
    thread_leave(thread);
    runtime_end_work();
}

void sync_after_end(uint64_t ended_ns, uint64_t paid_ns)
{
    struct thread *thread = &thread_current;
    if (!thread->on || thread->guard)
        return;
    thread_enter(thread);
    ledger_meet(&thread->account, paid_ns + (clock_wall_ns() - ended_ns));
    thread_leave(thread);
}
