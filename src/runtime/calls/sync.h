/* What a hooked call means to the ledger. A hook says it by name, once, and on which object; the rules live
 * in sync.c. All are no-ops on a thread that is not profiled. A settlement costs one thread-local load and a
 * look at one shared cache line when there is nothing to settle. */
#pragma once

#include "runtime/arch/ticks.h"
#include "runtime/calls/waits.h"
#include "runtime/core/departure.h"
#include "runtime/ledger/pause.h"
#include "runtime/ledger/ramp.h"
#include "runtime/thread/thread.h"

/* Who ended a wait. */
enum sync_waker {
    WOKEN_BY_PEER,    /* another thread of the tree, which was level: the delay happened to us too */
    SPUN_FOR_PEER,    /* the same, and the thread ran until then: no part of that is work */
    WOKEN_BY_OUTSIDE, /* a timeout, a device, a stranger: what became due meanwhile is paid before the call
                         returns */
};

/* How many system calls of the thread our signal has ended: a call that returned EINTR, and during which this
 * changed, was interrupted by us. */
static inline unsigned sync_samples(void)
{
    return thread_current.nesting.samples;
}

/* `at` is where the program called the hook: it tells stretches apart (stretch.h). */
void sync_settle_slowly(uintptr_t at);
void sync_settle_at_mark(uintptr_t at); /* of a region, on a thread that is on and outside its guard */
void sync_wait_begin_slowly(const void *object, uintptr_t at, enum wait_class class);
void sync_wait_end_slowly(enum sync_waker waker);

/* The caller goes on after a thread that has ended at that moment with that balance: no sooner, in virtual
 * time. Its end woke us level, but what other threads ran in the target while it lived may have been settled
 * later. */
void sync_after_end(uint64_t ended_ns, uint64_t paid_ns);

#define SYNC_INLINE static inline __attribute__((always_inline))
#define SYNC_CALLER ((uintptr_t)__builtin_return_address(0))

SYNC_INLINE bool sync_is_level(void)
{
    const struct thread *thread = &thread_current;
    return !thread->on ||
           account_paid_ns(&thread->account) ==
               atomic_load_explicit(&runtime_segment->due.required_ns, memory_order_relaxed) ||
           atomic_load_explicit(&departure_left, memory_order_relaxed);
}

/* Whether it owes so much that sleeping for it is worth the while. */
SYNC_INLINE bool sync_owes_much(void)
{
    const struct thread *thread = &thread_current;
    return thread->on && !thread->guard &&
           atomic_load_explicit(&runtime_due->required_ns, memory_order_relaxed) >
               account_paid_ns(&thread->account) + PAUSE_WORTH_SLEEPING_NS;
}

/* The fast path of every hook: nothing is owed, nothing to be settled, and nobody gets ahead (ramp.h). */
SYNC_INLINE bool sync_is_calm(void)
{
    return thread_current.calm_ns == atomic_load_explicit(&runtime_due->required_ns, memory_order_relaxed) &&
           atomic_load_explicit(&runtime_due->ramps, memory_order_relaxed) == 0;
}

/* A thread that calls hooks all the time, and owes little, is settled at some of them only (budget.h): not at
 * this one. */
SYNC_INLINE bool sync_passes(void)
{
    struct thread *thread = &thread_current;
    if (thread->budget.left == 0)
        return false;
    uint64_t paid = account_paid_ns(&thread->account);
    uint64_t required = atomic_load_explicit(&runtime_due->required_ns, memory_order_relaxed);
    return required <= paid + BUDGET_SELDOM_NS && budget_passes(&thread->budget, ticks_now());
}

/* Whether the thread may be settled after it has given a lock back: it passes hooks anyway, and owes little. */
SYNC_INLINE bool sync_may_be_late(void)
{
    const struct thread *thread = &thread_current;
    return budget_calls_often(&thread->budget) &&
           account_paid_ns(&thread->account) + BUDGET_SELDOM_NS >=
               atomic_load_explicit(&runtime_due->required_ns, memory_order_relaxed);
}

SYNC_INLINE void sync_settle_at(uintptr_t at)
{
    if (unlikely(!sync_is_calm()))
        sync_settle_slowly(at);
}

SYNC_INLINE void sync_settle(void)
{
    sync_settle_at(SYNC_CALLER);
}

/* Settles even where the thread would pass this hook by (budget.h): its balance is about to be read, or
 * handed on. */
SYNC_INLINE void sync_settle_fully(void)
{
    budget_pass_none(&thread_current.budget);
    sync_settle();
}

/* About to acquire a lock, contended or not: a debt from before must not be paid while holding what the
 * target needs. */
SYNC_INLINE void sync_before_acquire(const void *object)
{
    (void)object;
    sync_settle();
}

/* About to wake, or let go on, another thread of the tree. */
SYNC_INLINE void sync_before_wake(const void *object)
{
    sync_settle();
    if (object)
        waits_note_wake(&thread_current, object, SYNC_CALLER);
}

/* About to give back a lock. Returns whether the thread is settled only afterwards, with the next. */
SYNC_INLINE bool sync_before_release(const void *object)
{
    bool late = sync_may_be_late();
    if (!late)
        sync_settle();
    waits_note_wake(&thread_current, object, SYNC_CALLER);
    return late;
}

SYNC_INLINE void sync_after_release(bool late)
{
    if (unlikely(late))
        sync_settle();
}

/* Around a call that may block, which the program made from `at`. The thread is levelled first. Returns the
 * wait that it is in from here on: when it began. */
SYNC_INLINE struct wait sync_wait_begin_at(const void *object, uintptr_t at, enum wait_class class)
{
    if (likely(thread_current.on))
        sync_wait_begin_slowly(object, at, class);
    return thread_current.wait;
}

SYNC_INLINE struct wait sync_wait_begin(const void *object, enum wait_class class)
{
    return sync_wait_begin_at(object, SYNC_CALLER, class);
}

/* The same where the thread gives `lock` back meanwhile, for which somebody waits if it is wanted, and takes it again
 * before it goes on. */
SYNC_INLINE void sync_wait_begin_without(const void *lock, bool is_wanted, const void *object,
                                         enum wait_class class)
{
    sync_wait_begin_at(object, SYNC_CALLER, class);
    thread_current.wait.lock = lock;
    if (is_wanted)
        waits_note_wake(&thread_current, lock, SYNC_CALLER);
}

/* Whether it must be told who ended the wait: more has become due meanwhile, or the wait is the target. */
SYNC_INLINE bool sync_waker_matters(void)
{
    return unlikely(!sync_is_level()) || unlikely(thread_current.wait.permille != 0);
}

SYNC_INLINE void sync_wait_end(const void *object, enum sync_waker waker)
{
    (void)object;
    if (likely(thread_current.on))
        sync_wait_end_slowly(waker);
}
