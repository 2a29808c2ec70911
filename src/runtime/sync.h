/* What a hooked call means to the ledger. A hook says it by name, once, and on which object; the rules live
 * in sync.c. All are no-ops on a thread that is not profiled, and cost one thread-local and one shared load
 * when the thread is level. */
#pragma once

#include "runtime/thread.h"

/* Who ended a wait. */
enum sync_waker {
    WOKEN_BY_PEER,    /* another thread of the tree, which was level: the delay happened to us too */
    WOKEN_BY_OUTSIDE, /* a timeout, a device, a stranger: what became due meanwhile is owed */
};

/* How many system calls of the thread our signal has ended: a call that returned EINTR, and during which this
 * changed, was interrupted by us. */
static inline unsigned sync_samples(void)
{
    return thread_current.signals;
}

void sync_level_slowly(void);
void sync_wait_begin_slowly(void);
void sync_wait_end_slowly(enum sync_waker waker);

static inline bool sync_is_level(void)
{
    const struct thread *thread = &thread_current;
    return !thread->on || atomic_load_explicit(thread->account.paid_ns, memory_order_relaxed) ==
                              atomic_load_explicit(&runtime_segment->required_ns, memory_order_relaxed);
}

/* About to acquire a lock, contended or not: a debt from before must not be paid while holding what the
 * target needs. */
static inline void sync_before_acquire(const void *object)
{
    (void)object;
    if (unlikely(!sync_is_level()))
        sync_level_slowly();
}

/* About to wake, or let go on, another thread of the tree. */
static inline void sync_before_wake(const void *object)
{
    (void)object;
    if (unlikely(!sync_is_level()))
        sync_level_slowly();
}

/* Around a call that may block. The thread is levelled first. */
static inline void sync_wait_begin(const void *object)
{
    (void)object;
    if (likely(thread_current.on))
        sync_wait_begin_slowly();
}

static inline void sync_wait_end(const void *object, enum sync_waker waker)
{
    (void)object;
    if (likely(thread_current.on))
        sync_wait_end_slowly(waker);
}
