/* C11's mutexes and conditions; libc's own go past the hooks of the POSIX ones. (Threads: hooks/thread.c.) */
#include "runtime/calls/call_point.h"
#include "runtime/calls/deadline.h"
#include "runtime/libc/internals.h"
#include "runtime/real/list.h"
#include "runtime/thread/moment.h"

HOOK_INLINE int c11_wait_end(const void *object, int rc)
{
    sync_wait_end(object, rc == thrd_timedout ? WOKEN_BY_OUTSIDE : WOKEN_BY_PEER);
    return rc;
}

/* As for POSIX' mutexes (hooks/mutex.c): where the inside is known, it is the same. */
static __attribute__((noinline, cold)) int mtx_try_again(mtx_t *mutex)
{
    pthread_mutex_t *inside = (pthread_mutex_t *)mutex;
    if (!libc_is_usual(inside, thread_current.tid))
        return REAL(mtx_trylock)(mutex);
    return libc_fight_for_mutex(inside, thread_current.tid) ? thrd_success : thrd_busy;
}

HOOK_INLINE int mtx_try(mtx_t *mutex)
{
    sync_before_acquire(mutex);
    int rc = REAL(mtx_trylock)(mutex);
    for (struct moment moment = {0}; unlikely(rc == thrd_busy) && moment_lasts(&moment);)
        rc = mtx_try_again(mutex);
    if (unlikely(rc == thrd_busy))
        sync_wait_begin(mutex, WAIT_LOCK);
    return rc;
}

EXPORT int mtx_lock(mtx_t *mutex)
{
    int rc = mtx_try(mutex);
    return likely(rc != thrd_busy) ? rc : c11_wait_end(mutex, REAL(mtx_lock)(mutex));
}

EXPORT int mtx_trylock(mtx_t *mutex)
{
    sync_before_acquire(mutex);
    return REAL(mtx_trylock)(mutex);
}

EXPORT int mtx_timedlock(mtx_t *restrict mutex, const struct timespec *restrict until)
{
    struct timespec later;
    int rc = mtx_try(mutex);
    if (likely(rc != thrd_busy))
        return rc;
    return c11_wait_end(mutex, REAL(mtx_timedlock)(mutex, deadline_later(until, &later)));
}

EXPORT int mtx_unlock(mtx_t *mutex)
{
    bool late = sync_before_release(mutex);
    int rc = REAL(mtx_unlock)(mutex);
    sync_after_release(late);
    return rc;
}

HOOK_INLINE void begin_cnd_wait(cnd_t *cond, const mtx_t *mutex)
{
    bool is_wanted = libc_may_be_wanted((const pthread_mutex_t *)mutex);
    sync_wait_begin_without(mutex, is_wanted, cond, WAIT_CONDITION);
}

EXPORT int cnd_wait(cnd_t *cond, mtx_t *mutex)
{
    begin_cnd_wait(cond, mutex);
    int rc = c11_wait_end(cond, REAL(cnd_wait)(cond, mutex));
    call_ended(CALL_cnd_wait, rc == thrd_success);
    return rc;
}

EXPORT int cnd_timedwait(cnd_t *restrict cond, mtx_t *restrict mutex, const struct timespec *restrict until)
{
    struct timespec later;
    begin_cnd_wait(cond, mutex);
    int rc = REAL(cnd_timedwait)(cond, mutex, deadline_later(until, &later));
    if (rc != thrd_timedout || !sync_owes_much() || REAL(mtx_unlock)(mutex) != thrd_success) {
        rc = c11_wait_end(cond, rc);
        call_ended(CALL_cnd_timedwait, rc == thrd_success);
        return rc;
    }
    c11_wait_end(cond, rc); /* pays, without the mutex: hooks/cond.c */
    int locked = mtx_lock(mutex);
    return locked != thrd_success ? locked : rc;
}

EXPORT int cnd_signal(cnd_t *cond)
{
    sync_before_wake(cond);
    int rc = REAL(cnd_signal)(cond);
    call_ended(CALL_cnd_signal, rc == thrd_success);
    return rc;
}

EXPORT int cnd_broadcast(cnd_t *cond)
{
    sync_before_wake(cond);
    int rc = REAL(cnd_broadcast)(cond);
    call_ended(CALL_cnd_broadcast, rc == thrd_success);
    return rc;
}
