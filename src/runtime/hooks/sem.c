/* POSIX semaphores. */
#include "runtime/calls/interrupted.h"
#include "runtime/calls/sync.h"
#include "runtime/real/list.h"

#include <errno.h>

HOOK_INLINE int sem_wait_end(sem_t *sem, int rc)
{
    sync_wait_end(sem, rc == 0 ? WOKEN_BY_PEER : WOKEN_BY_OUTSIDE);
    return rc;
}

/* Takes the semaphore if that needs no wait; else the thread is ready to wait for it, from *wait on. */
HOOK_INLINE bool try_take(sem_t *sem, struct wait *wait)
{
    sync_before_acquire(sem);
    int saved = errno;
    if (likely(REAL(sem_trywait)(sem) == 0))
        return true;
    errno = saved;
    *wait = sync_wait_begin(sem);
    return false;
}

EXPORT int sem_wait(sem_t *sem)
{
    struct wait begun;
    return try_take(sem, &begun) ? 0 : sem_wait_end(sem, REAL(sem_wait)(sem));
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
    if (try_take(sem, &begun))
        return 0;
    struct interrupted wait = interrupted_begin(begun, UINT64_MAX);
    int rc;
    do
        rc = REAL(sem_timedwait)(sem, until);
    while (rc < 0 && interrupted_goes_on(&wait, errno == EINTR));
    return sem_wait_end(sem, rc);
}

EXPORT int sem_clockwait(sem_t *sem, clockid_t clock, const struct timespec *until)
{
    if (unlikely(!deadline_is_valid(clock, until)))
        return REAL(sem_clockwait)(sem, clock, until);
    struct wait begun;
    if (try_take(sem, &begun))
        return 0;
    struct interrupted wait = interrupted_begin(begun, UINT64_MAX);
    int rc;
    do
        rc = REAL(sem_clockwait)(sem, clock, until);
    while (rc < 0 && interrupted_goes_on(&wait, errno == EINTR));
    return sem_wait_end(sem, rc);
}

EXPORT int sem_post(sem_t *sem)
{
    sync_before_wake(sem);
    return REAL(sem_post)(sem);
}
