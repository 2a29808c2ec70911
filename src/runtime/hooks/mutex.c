/* Mutexes. A lock is tried first: only a lock that had to wait was handed over by a peer. */
#include "runtime/calls/deadline.h"
#include "runtime/calls/sync.h"
#include "runtime/libc/internals.h"
#include "runtime/real/list.h"
#include "runtime/thread/moment.h"

#include <errno.h>

/* A lock with a deadline got it from a peer, unless the deadline ended the wait. */
HOOK_INLINE int mutex_timed_end(pthread_mutex_t *mutex, int rc)
{
    sync_wait_end(mutex, rc == ETIMEDOUT ? WOKEN_BY_OUTSIDE : WOKEN_BY_PEER);
    return rc;
}

HOOK_INLINE int mutex_try(pthread_mutex_t *mutex)
{
    return likely(libc_may_try(mutex)) ? REAL(pthread_mutex_trylock)(mutex) : EBUSY;
}

HOOK_INLINE bool take_usual(pthread_mutex_t *mutex)
{
    return libc_take_mutex(mutex, thread_current.tid);
}

/* Lock and unlock are called so often that all but their fast paths is apart, in functions that the program
 * seems to have called `at`: so the fast paths save next to no registers. */
#define APART static __attribute__((noinline, cold))

APART int wait_for(pthread_mutex_t *mutex, uintptr_t at)
{
    sync_wait_begin_at(mutex, at, WAIT_LOCK);
    int rc = REAL(pthread_mutex_lock)(mutex);
    sync_wait_end(mutex, WOKEN_BY_PEER);
    return rc;
}

/* Natively each that finds a lock held asks the kernel, which mostly finds it free again by then, and so does each that
 * gives a lock back for which somebody may wait. Where two threads fight for a lock, that may be a third of all the
 * time that it takes. */
static int try_again(pthread_mutex_t *mutex)
{
    if (!libc_is_usual(mutex, thread_current.tid))
        return mutex_try(mutex);
    return libc_fight_for_mutex(mutex, thread_current.tid) ? 0 : EBUSY;
}

APART int try_for_a_moment(pthread_mutex_t *mutex)
{
    int rc = mutex_try(mutex);
    if (!libc_may_try(mutex)) /* it was not tried, nor will be */
        return rc;
    for (struct moment moment = {0}; rc == EBUSY && moment_lasts(&moment);)
        rc = try_again(mutex);
    return rc;
}

APART int try_and_wait(pthread_mutex_t *mutex, uintptr_t at)
{
    int rc = try_for_a_moment(mutex);
    return rc == EBUSY ? wait_for(mutex, at) : rc;
}

APART int settle_and_lock(pthread_mutex_t *mutex, uintptr_t at)
{
    sync_settle_at(at);
    return take_usual(mutex) ? 0 : try_and_wait(mutex, at);
}

EXPORT int pthread_mutex_lock(pthread_mutex_t *mutex)
{
    if (unlikely(!sync_is_calm()) && !sync_passes())
        return settle_and_lock(mutex, SYNC_CALLER);
    return take_usual(mutex) ? 0 : try_and_wait(mutex, SYNC_CALLER);
}

EXPORT int pthread_mutex_trylock(pthread_mutex_t *mutex)
{
    sync_before_acquire(mutex);
    return REAL(pthread_mutex_trylock)(mutex);
}

EXPORT int pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *until)
{
    struct timespec later;
    sync_before_acquire(mutex);
    int rc = mutex_try(mutex);
    if (likely(rc != EBUSY))
        return rc;
    sync_wait_begin(mutex, WAIT_LOCK);
    return mutex_timed_end(mutex, REAL(pthread_mutex_timedlock)(mutex, deadline_later(until, &later)));
}

EXPORT int pthread_mutex_clocklock(pthread_mutex_t *mutex, clockid_t clock, const struct timespec *until)
{
    if (unlikely(!deadline_is_valid(clock, until)))
        return REAL(pthread_mutex_clocklock)(mutex, clock, until);
    struct timespec later;
    sync_before_acquire(mutex);
    int rc = mutex_try(mutex);
    if (likely(rc != EBUSY))
        return rc;
    sync_wait_begin(mutex, WAIT_LOCK);
    return mutex_timed_end(mutex, REAL(pthread_mutex_clocklock)(mutex, clock, deadline_later(until, &later)));
}

/* Somebody waits for it. */
APART int unlock_and_wake(pthread_mutex_t *mutex, uintptr_t at)
{
    waits_note_wake(&thread_current, mutex, at);
    return REAL(pthread_mutex_unlock)(mutex);
}

APART int settle_and_unlock(pthread_mutex_t *mutex, uintptr_t at)
{
    bool late = libc_seems_held(mutex) && sync_may_be_late();
    if (!late)
        sync_settle_at(at);
    int rc = libc_may_be_wanted(mutex) ? unlock_and_wake(mutex, at) : REAL(pthread_mutex_unlock)(mutex);
    if (late)
        sync_settle_at(at);
    return rc;
}

EXPORT int pthread_mutex_unlock(pthread_mutex_t *mutex)
{
    if (unlikely((!sync_is_calm() && !sync_passes()) || !real_pthread_mutex_unlock))
        return settle_and_unlock(mutex, SYNC_CALLER);
    if (libc_give_mutex(mutex))
        return 0;
    return unlikely(libc_is_wanted(mutex)) ? unlock_and_wake(mutex, SYNC_CALLER)
                                           : real_pthread_mutex_unlock(mutex);
}
