/* Mutexes. A lock is tried first: only a lock that had to wait was handed over by a peer. */
#include "runtime/hooks.h"
#include "runtime/sync.h"

#include <errno.h>

/* A lock with a deadline got it from a peer, unless the deadline ended the wait. */
HOOK_INLINE int end_timed(pthread_mutex_t *mutex, int rc)
{
    sync_wait_end(mutex, rc == ETIMEDOUT ? WOKEN_BY_OUTSIDE : WOKEN_BY_PEER);
    return rc;
}

/* glibc's trylock leaves a robust mutex locked for ever after it has said ENOTRECOVERABLE: those are not
 * tried. */
HOOK_INLINE int try_lock(pthread_mutex_t *mutex)
{
    enum { ROBUST = 16 }; /* PTHREAD_MUTEX_ROBUST_NORMAL_NP of glibc's own header */
    sync_before_acquire(mutex);
    return unlikely(mutex->__data.__kind & ROBUST) ? EBUSY : REAL(pthread_mutex_trylock)(mutex);
}

EXPORT int pthread_mutex_lock(pthread_mutex_t *mutex)
{
    int rc = try_lock(mutex);
    if (likely(rc != EBUSY))
        return rc;
    sync_wait_begin(mutex);
    rc = REAL(pthread_mutex_lock)(mutex);
    sync_wait_end(mutex, WOKEN_BY_PEER);
    return rc;
}

EXPORT int pthread_mutex_trylock(pthread_mutex_t *mutex)
{
    sync_before_acquire(mutex);
    return REAL(pthread_mutex_trylock)(mutex);
}

EXPORT int pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *until)
{
    int rc = try_lock(mutex);
    if (likely(rc != EBUSY))
        return rc;
    sync_wait_begin(mutex);
    return end_timed(mutex, REAL(pthread_mutex_timedlock)(mutex, until));
}

EXPORT int pthread_mutex_clocklock(pthread_mutex_t *mutex, clockid_t clock, const struct timespec *until)
{
    if (unlikely(!deadline_is_valid(clock, until)))
        return REAL(pthread_mutex_clocklock)(mutex, clock, until);
    int rc = try_lock(mutex);
    if (likely(rc != EBUSY))
        return rc;
    sync_wait_begin(mutex);
    return end_timed(mutex, REAL(pthread_mutex_clocklock)(mutex, clock, until));
}

EXPORT int pthread_mutex_unlock(pthread_mutex_t *mutex)
{
    sync_before_wake(mutex);
    return REAL(pthread_mutex_unlock)(mutex);
}
