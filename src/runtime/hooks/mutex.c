/* Mutexes. A lock is tried first: only a lock that had to wait was handed over by a peer. */
#include "runtime/calls/sync.h"
#include "runtime/real/list.h"

#include <errno.h>
#include <sys/single_threaded.h>

/* A lock with a deadline got it from a peer, unless the deadline ended the wait. */
HOOK_INLINE int end_timed(pthread_mutex_t *mutex, int rc)
{
    sync_wait_end(mutex, rc == ETIMEDOUT ? WOKEN_BY_OUTSIDE : WOKEN_BY_PEER);
    return rc;
}

enum { ROBUST = 16 }; /* of __kind: glibc's own header has it without a name */

/* glibc's trylock leaves a robust mutex locked for ever after it has said ENOTRECOVERABLE: those are not
 * tried. */
HOOK_INLINE int try_lock(pthread_mutex_t *mutex)
{
    return unlikely(mutex->__data.__kind & ROBUST) ? EBUSY : REAL(pthread_mutex_trylock)(mutex);
}

/* What glibc does to a normal mutex that is free, at half the price of calling its trylock: the lock word,
 * the owner and the count are in programs' initialised data, so they stay what they are. Should they not,
 * then a mutex is found at the start not to look as expected, and none is taken like this. */
static int usual_kind = -1;

static bool looks(const pthread_mutex_t *mutex, int lock, int owner, unsigned users)
{
    return mutex->__data.__lock == lock && mutex->__data.__owner == owner && mutex->__data.__nusers == users;
}

__attribute__((constructor)) static void know_usual_kind(void)
{
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    int kind = mutex.__data.__kind;
    bool known = REAL(pthread_mutex_lock)(&mutex) == 0 && looks(&mutex, 1, gettid(), 1);
    known = known && REAL(pthread_mutex_unlock)(&mutex) == 0 && looks(&mutex, 0, 0, 0);
    if (known && mutex.__data.__kind == kind)
        usual_kind = kind;
}

/* A program that has one thread pays for nothing atomic, as it does in glibc. */
HOOK_INLINE bool take_usual(pthread_mutex_t *mutex)
{
    int nobody = 0, tid = thread_current.tid;
    if (unlikely(mutex->__data.__kind != usual_kind || !tid))
        return false;
    if (__libc_single_threaded) {
        if (unlikely(mutex->__data.__lock))
            return false;
        mutex->__data.__lock = 1;
    } else if (!__atomic_compare_exchange_n(&mutex->__data.__lock, &nobody, 1, false, __ATOMIC_ACQUIRE,
                                            __ATOMIC_RELAXED)) {
        return false;
    }
    mutex->__data.__owner = tid;
    mutex->__data.__nusers++;
    return true;
}

/* Only where nobody can be waiting for it. */
HOOK_INLINE bool give_usual(pthread_mutex_t *mutex)
{
    if (!__libc_single_threaded || unlikely(mutex->__data.__kind != usual_kind || mutex->__data.__lock != 1))
        return false;
    mutex->__data.__owner = 0;
    mutex->__data.__nusers--;
    mutex->__data.__lock = 0;
    return true;
}

/* Lock and unlock are called so often that all but their fast paths is apart, in functions that the program
 * seems to have called `at`: so the fast paths save next to no registers. */
#define APART static __attribute__((noinline, cold))

APART int wait_for(pthread_mutex_t *mutex, uintptr_t at)
{
    sync_wait_begin_at(mutex, at);
    int rc = REAL(pthread_mutex_lock)(mutex);
    sync_wait_end(mutex, WOKEN_BY_PEER);
    return rc;
}

APART int try_and_wait(pthread_mutex_t *mutex, uintptr_t at)
{
    int rc = try_lock(mutex);
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
    sync_before_acquire(mutex);
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
    sync_before_acquire(mutex);
    int rc = try_lock(mutex);
    if (likely(rc != EBUSY))
        return rc;
    sync_wait_begin(mutex);
    return end_timed(mutex, REAL(pthread_mutex_clocklock)(mutex, clock, until));
}

APART int settle_and_unlock(pthread_mutex_t *mutex, uintptr_t at)
{
    sync_settle_at(at);
    return REAL(pthread_mutex_unlock)(mutex);
}

EXPORT int pthread_mutex_unlock(pthread_mutex_t *mutex)
{
    if (unlikely((!sync_is_calm() && !sync_passes()) || !real_pthread_mutex_unlock))
        return settle_and_unlock(mutex, SYNC_CALLER);
    return give_usual(mutex) ? 0 : real_pthread_mutex_unlock(mutex);
}
