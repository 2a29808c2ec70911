#include "runtime/sync.h"

#include "runtime/pause.h"

#include <errno.h>

void sync_level_slowly(void)
{
    struct thread *thread = &thread_current;
    if (thread->guard)
        return;
    int saved = errno;
    thread_enter(thread);
    pause_until_level(thread);
    thread_leave(thread);
    errno = saved;
}

static void set_blocked(struct thread *thread, bool blocked)
{
    if (thread->slot)
        atomic_store_explicit(&thread->slot->flags, blocked ? THREAD_BLOCKED : 0u, memory_order_relaxed);
}

void sync_wait_begin_slowly(void)
{
    if (!sync_is_level())
        sync_level_slowly();
    set_blocked(&thread_current, true);
}

void sync_wait_end_slowly(enum sync_waker waker)
{
    struct thread *thread = &thread_current;
    set_blocked(thread, false);
    if (waker != WOKEN_BY_PEER || sync_is_level() || thread->guard)
        return;
    thread_enter(thread);
    ledger_credit_wake(&thread->account, runtime_segment);
    pause_mark(thread, instant_now());
    thread_leave(thread);
}
