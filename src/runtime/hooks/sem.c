/* POSIX semaphores. */
#include "runtime/calls/call_point.h"
#include "runtime/calls/deadline.h"
#include "runtime/calls/interrupted.h"
#include "runtime/real/list.h"
#include "runtime/thread/moment.h"

#include <errno.h>

HOOK_INLINE int sem_wait_end(sem_t *sem, int rc, enum segment_call call)
{
    sync_wait_end(sem, rc == 0 ? WOKEN_BY_PEER : WOKEN_BY_OUTSIDE);
    call_ended(call, rc == 0);
    return rc;
}

/* Takes the semaphore if that needs no wait; else the thread is ready to wait for it, from *wait on. */
HOOK_INLINE bool try_take(sem_t *sem, struct wait *wait, enum segment_call call)
{
    sync_before_acquire(sem);
    int saved = errno;
    int rc = REAL(sem_trywait)(sem);
    for (struct moment moment = {0}; unlikely(rc) && moment_lasts(&moment);)
        rc = REAL(sem_trywait)(sem);
    errno = saved;
    if (likely(rc == 0)) {
        call_ended(call, true);
        return true;
    }
    *wait = sync_wait_begin(sem, WAIT_CONDITION);
    return false;
}

EXPORT int sem_wait(sem_t *sem)
{
    struct wait begun;
    return try_take(sem, &begun, CALL_sem_wait) ? 0 : sem_wait_end(sem, REAL(sem_wait)(sem), CALL_sem_wait);
}

EXPORT int sem_trywait(sem_t *sem)
{
    sync_before_acquire(sem);
    return REAL(sem_trywait)(sem);
}

EXPORT int sem_timedwait(sem_t *sem, const struct timespec *until)
{
    if (unlikely(!deadline_is_valid(CLOCK_REALTIME, until)))
        return REAL(sem_timedwait)(sem, until);
    struct wait begun;
    if (try_take(sem, &begun, CALL_sem_timedwait))
        return 0;
    struct timespec later;
    struct interrupted wait = interrupted_begin(begun, UINT64_MAX);
    int rc;
    do
        rc = REAL(sem_timedwait)(sem, deadline_later(until, &later));
    while (rc < 0 && interrupted_goes_on(&wait, errno == EINTR));
    return sem_wait_end(sem, rc, CALL_sem_timedwait);
}

EXPORT int sem_clockwait(sem_t *sem, clockid_t clock, const struct timespec *until)
{
    if (unlikely(!deadline_is_valid(clock, until)))
        return REAL(sem_clockwait)(sem, clock, until);
    struct wait begun;
    if (try_take(sem, &begun, CALL_sem_clockwait))
        return 0;
    struct timespec later;
    struct interrupted wait = interrupted_begin(begun, UINT64_MAX);
    int rc;
    do
        rc = REAL(sem_clockwait)(sem, clock, deadline_later(until, &later));
    while (rc < 0 && interrupted_goes_on(&wait, errno == EINTR));
    return sem_wait_end(sem, rc, CALL_sem_clockwait);
}

EXPORT int sem_post(sem_t *sem)
{
    bool late = sync_before_release(sem);
    int rc = REAL(sem_post)(sem);
    sync_after_release(late);
    call_ended(CALL_sem_post, rc == 0);
    return rc;
}
