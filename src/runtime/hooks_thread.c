/* Threads and processes: they begin with their parent's balance, and end level, because their end may wake
 * somebody. */
#include "runtime/hooks.h"
#include "runtime/modules.h"
#include "runtime/sync.h"

#include <errno.h>
#include <stdlib.h> /* malloc: once a thread */

struct beginning {
    void *(*routine)(void *);
    void *argument;
    uint64_t paid_ns;
};

/* However the thread ends: by returning, by pthread_exit(), cancelled. */
static void end_thread(void *nothing)
{
    sync_before_wake(nothing);
    thread_stop();
}

static void *begin_thread(void *argument)
{
    struct beginning beginning = *(struct beginning *)argument;
    void *result;
    free(argument);
    thread_start(beginning.paid_ns, (uintptr_t)__builtin_frame_address(0));
    pthread_cleanup_push(end_thread, NULL);
    result = beginning.routine(beginning.argument);
    pthread_cleanup_pop(1);
    return result;
}

EXPORT int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*routine)(void *),
                          void *argument)
{
    if (!thread_current.on)
        return REAL(pthread_create)(thread, attributes, routine, argument);
    struct beginning *beginning = malloc(sizeof *beginning);
    if (!beginning)
        return EAGAIN;
    modules_refresh();
    sync_before_wake(NULL);
    *beginning = (struct beginning){routine, argument, atomic_load(thread_current.account.paid_ns)};
    int rc = REAL(pthread_create)(thread, attributes, begin_thread, beginning);
    if (rc)
        free(beginning);
    return rc;
}

/* A thread that is still alive is waited for, and wakes us when it ends; one that ended before owes us
 * nothing. */
HOOK_INLINE bool try_join(pthread_t thread, void **result, int *rc)
{
    sync_before_acquire(NULL);
    *rc = REAL(pthread_tryjoin_np)(thread, result);
    if (*rc != EBUSY)
        return true;
    sync_wait_begin(NULL);
    return false;
}

HOOK_INLINE int end_join(int rc)
{
    sync_wait_end(NULL, rc == ETIMEDOUT ? WOKEN_BY_OUTSIDE : WOKEN_BY_PEER);
    return rc;
}

EXPORT int pthread_join(pthread_t thread, void **result)
{
    int rc;
    return try_join(thread, result, &rc) ? rc : end_join(REAL(pthread_join)(thread, result));
}

EXPORT int pthread_tryjoin_np(pthread_t thread, void **result)
{
    sync_before_acquire(NULL);
    return REAL(pthread_tryjoin_np)(thread, result);
}

EXPORT int pthread_timedjoin_np(pthread_t thread, void **result, const struct timespec *until)
{
    int rc;
    return try_join(thread, result, &rc) ? rc : end_join(REAL(pthread_timedjoin_np)(thread, result, until));
}

EXPORT int pthread_clockjoin_np(pthread_t thread, void **result, clockid_t clock,
                                const struct timespec *until)
{
    int rc;
    return try_join(thread, result, &rc) ? rc
                                         : end_join(REAL(pthread_clockjoin_np)(thread, result, clock, until));
}

EXPORT pid_t fork(void)
{
    sync_before_wake(NULL);
    pid_t pid = REAL(fork)();
    if (pid == 0)
        runtime_after_fork();
    return pid;
}
