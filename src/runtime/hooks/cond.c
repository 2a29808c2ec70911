/* Condition variables. */
#include "runtime/calls/call_point.h"
#include "runtime/calls/deadline.h"
#include "runtime/libc/internals.h"
#include "runtime/real/list.h"

#include <errno.h>

HOOK_INLINE void begin_cond_wait(pthread_cond_t *cond, const pthread_mutex_t *mutex)
{
    sync_wait_begin_without(mutex, libc_may_be_wanted(mutex), cond, WAIT_CONDITION);
}

HOOK_INLINE int cond_wait_end(pthread_cond_t *cond, int rc)
{
    sync_wait_end(cond, rc == ETIMEDOUT ? WOKEN_BY_OUTSIDE : WOKEN_BY_PEER);
    return rc;
}

/* Whose time is up owes what became due meanwhile, and pays it as if it were still waiting: without the
 * mutex, which others may need. */
HOOK_INLINE int cond_timed_wait_end(pthread_cond_t *cond, pthread_mutex_t *mutex, int rc)
{
    if (rc != ETIMEDOUT || !sync_owes_much() || REAL(pthread_mutex_unlock)(mutex) != 0)
        return cond_wait_end(cond, rc);
    cond_wait_end(cond, rc);
    int locked = pthread_mutex_lock(mutex);
    return locked ? locked : rc;
}

EXPORT int pthread_cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex)
{
    begin_cond_wait(cond, mutex);
    int rc = cond_wait_end(cond, REAL(pthread_cond_wait)(cond, mutex));
    call_ended(CALL_pthread_cond_wait, rc == 0);
    return rc;
}

EXPORT int pthread_cond_timedwait(pthread_cond_t *cond, pthread_mutex_t *mutex, const struct timespec *until)
{
    struct timespec later;
    begin_cond_wait(cond, mutex);
    int rc = REAL(pthread_cond_timedwait)(cond, mutex, deadline_later(until, &later));
    rc = cond_timed_wait_end(cond, mutex, rc);
    call_ended(CALL_pthread_cond_timedwait, rc == 0);
    return rc;
}

EXPORT int pthread_cond_clockwait(pthread_cond_t *cond, pthread_mutex_t *mutex, clockid_t clock,
                                  const struct timespec *until)
{
    struct timespec later;
    begin_cond_wait(cond, mutex);
    int rc = REAL(pthread_cond_clockwait)(cond, mutex, clock, deadline_later(until, &later));
    rc = cond_timed_wait_end(cond, mutex, rc);
    call_ended(CALL_pthread_cond_clockwait, rc == 0);
    return rc;
}

EXPORT int pthread_cond_signal(pthread_cond_t *cond)
{
    sync_before_wake(cond);
    int rc = REAL(pthread_cond_signal)(cond);
    call_ended(CALL_pthread_cond_signal, rc == 0);
    return rc;
}

EXPORT int pthread_cond_broadcast(pthread_cond_t *cond)
{
    sync_before_wake(cond);
    int rc = REAL(pthread_cond_broadcast)(cond);
    call_ended(CALL_pthread_cond_broadcast, rc == 0);
    return rc;
}
