/* Initialising once, and spin locks. */
#include "runtime/calls/sync.h"
#include "runtime/core/declarations.h"
#include "runtime/libc/internals.h"
#include "runtime/real/list.h"
#include "runtime/thread/moment.h"

#include <errno.h>

/* ---- once: who comes while another thread initialises, waits for it */

/* The call that the thread is in: libc hands the routine nothing. */
struct once {
    void (*routine)(void);
    bool ran;
};

static __thread struct once *current;

/* The thread is the one that initialises, so it has not waited. Its end wakes the others. */
static void run_routine(void)
{
    struct once *once = current;
    sync_wait_end(NULL, WOKEN_BY_OUTSIDE);
    once->ran = true;
    once->routine();
    sync_before_wake(NULL);
}

HOOK_INLINE struct once *once_begin(struct once *once)
{
    struct once *before = current;
    sync_wait_begin(NULL, WAIT_LOCK);
    current = once;
    return before;
}

HOOK_INLINE void once_end(const struct once *once, struct once *before)
{
    current = before;
    if (!once->ran)
        sync_wait_end(NULL, WOKEN_BY_PEER);
}

EXPORT int pthread_once(pthread_once_t *control, void (*routine)(void))
{
    if (likely(libc_once_is_done(control)) || !thread_current.on)
        return REAL(pthread_once)(control, routine);
    struct once once = {.routine = routine}, *before = once_begin(&once);
    int rc = REAL(pthread_once)(control, run_routine);
    once_end(&once, before);
    return rc;
}

EXPORT void call_once(once_flag *flag, void (*routine)(void))
{
    if (likely(libc_once_is_done(ONCE_WORD(flag))) || !thread_current.on) {
        REAL(call_once)(flag, routine);
        return;
    }
    struct once once = {.routine = routine}, *before = once_begin(&once);
    REAL(call_once)(flag, run_routine);
    once_end(&once, before);
}

/* ---- spin locks */

EXPORT int pthread_spin_lock(pthread_spinlock_t *lock)
{
    sync_before_acquire((const void *)lock);
    int rc = REAL(pthread_spin_trylock)(lock);
    for (struct moment moment = {0}; unlikely(rc == EBUSY) && moment_lasts(&moment);)
        rc = REAL(pthread_spin_trylock)(lock);
    if (likely(rc != EBUSY))
        return rc;
    sync_wait_begin((const void *)lock, WAIT_LOCK);
    rc = REAL(pthread_spin_lock)(lock);
    sync_wait_end((const void *)lock, SPUN_FOR_PEER);
    return rc;
}

EXPORT int pthread_spin_trylock(pthread_spinlock_t *lock)
{
    sync_before_acquire((const void *)lock);
    return REAL(pthread_spin_trylock)(lock);
}

EXPORT int pthread_spin_unlock(pthread_spinlock_t *lock)
{
    bool late = sync_before_release((const void *)lock);
    int rc = REAL(pthread_spin_unlock)(lock);
    sync_after_release(late);
    return rc;
}
