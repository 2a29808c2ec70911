/* Read-write locks. As with mutexes, the lock is tried first. */
#include "runtime/calls/deadline.h"
#include "runtime/calls/sync.h"
#include "runtime/real/list.h"
#include "runtime/thread/moment.h"

#include <errno.h>

HOOK_INLINE int rwlock_timed_end(pthread_rwlock_t *lock, int rc)
{
    sync_wait_end(lock, rc == ETIMEDOUT ? WOKEN_BY_OUTSIDE : WOKEN_BY_PEER);
    return rc;
}

HOOK_INLINE int try_read(pthread_rwlock_t *lock)
{
    sync_before_acquire(lock);
    int rc = REAL(pthread_rwlock_tryrdlock)(lock);
    for (struct moment moment = {0}; unlikely(rc == EBUSY) && moment_lasts(&moment);)
        rc = REAL(pthread_rwlock_tryrdlock)(lock);
    if (unlikely(rc == EBUSY))
        sync_wait_begin(lock, WAIT_LOCK);
    return rc;
}

HOOK_INLINE int try_write(pthread_rwlock_t *lock)
{
    sync_before_acquire(lock);
    int rc = REAL(pthread_rwlock_trywrlock)(lock);
    for (struct moment moment = {0}; unlikely(rc == EBUSY) && moment_lasts(&moment);)
        rc = REAL(pthread_rwlock_trywrlock)(lock);
    if (unlikely(rc == EBUSY))
        sync_wait_begin(lock, WAIT_LOCK);
    return rc;
}

EXPORT int pthread_rwlock_rdlock(pthread_rwlock_t *lock)
{
    int rc = try_read(lock);
    return likely(rc != EBUSY) ? rc : rwlock_timed_end(lock, REAL(pthread_rwlock_rdlock)(lock));
}

EXPORT int pthread_rwlock_tryrdlock(pthread_rwlock_t *lock)
{
    sync_before_acquire(lock);
    return REAL(pthread_rwlock_tryrdlock)(lock);
}

EXPORT int pthread_rwlock_timedrdlock(pthread_rwlock_t *lock, const struct timespec *until)
{
    if (unlikely(!deadline_is_valid(CLOCK_REALTIME, until)))
        return REAL(pthread_rwlock_timedrdlock)(lock, until);
    struct timespec later;
    int rc = try_read(lock);
    if (likely(rc != EBUSY))
        return rc;
    return rwlock_timed_end(lock, REAL(pthread_rwlock_timedrdlock)(lock, deadline_later(until, &later)));
}

EXPORT int pthread_rwlock_clockrdlock(pthread_rwlock_t *lock, clockid_t clock, const struct timespec *until)
{
    if (unlikely(!deadline_is_valid(clock, until)))
        return REAL(pthread_rwlock_clockrdlock)(lock, clock, until);
    struct timespec later;
    int rc = try_read(lock);
    if (likely(rc != EBUSY))
        return rc;
    until = deadline_later(until, &later);
    return rwlock_timed_end(lock, REAL(pthread_rwlock_clockrdlock)(lock, clock, until));
}

EXPORT int pthread_rwlock_wrlock(pthread_rwlock_t *lock)
{
    int rc = try_write(lock);
    return likely(rc != EBUSY) ? rc : rwlock_timed_end(lock, REAL(pthread_rwlock_wrlock)(lock));
}

EXPORT int pthread_rwlock_trywrlock(pthread_rwlock_t *lock)
{
    sync_before_acquire(lock);
    return REAL(pthread_rwlock_trywrlock)(lock);
}

EXPORT int pthread_rwlock_timedwrlock(pthread_rwlock_t *lock, const struct timespec *until)
{
    if (unlikely(!deadline_is_valid(CLOCK_REALTIME, until)))
        return REAL(pthread_rwlock_timedwrlock)(lock, until);
    struct timespec later;
    int rc = try_write(lock);
    if (likely(rc != EBUSY))
        return rc;
    return rwlock_timed_end(lock, REAL(pthread_rwlock_timedwrlock)(lock, deadline_later(until, &later)));
}

EXPORT int pthread_rwlock_clockwrlock(pthread_rwlock_t *lock, clockid_t clock, const struct timespec *until)
{
    if (unlikely(!deadline_is_valid(clock, until)))
        return REAL(pthread_rwlock_clockwrlock)(lock, clock, until);
    struct timespec later;
    int rc = try_write(lock);
    if (likely(rc != EBUSY))
        return rc;
    until = deadline_later(until, &later);
    return rwlock_timed_end(lock, REAL(pthread_rwlock_clockwrlock)(lock, clock, until));
}

EXPORT int pthread_rwlock_unlock(pthread_rwlock_t *lock)
{
    bool late = sync_before_release(lock);
    int rc = REAL(pthread_rwlock_unlock)(lock);
    sync_after_release(late);
    return rc;
}
