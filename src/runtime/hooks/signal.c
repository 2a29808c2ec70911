/* Our one signal stays ours: it is not blocked when the program blocks "all", and nobody else receives it
 * (handlers: hooks/handler.c). Sending a signal may wake who waits for it. */
#include "runtime/calls/interrupted.h"
#include "runtime/calls/peers.h"
#include "runtime/calls/sync.h"
#include "runtime/real/list.h"

#include <errno.h>
#include <sys/signalfd.h>

/* The program's mask without our signal, in *copy, when the call would block it. */
static const sigset_t *without_ours(int how, const sigset_t *set, sigset_t *copy)
{
    if (!set || how == SIG_UNBLOCK || !runtime_segment || !runtime_segment->signal_number)
        return set;
    *copy = *set;
    sigdelset(copy, (int)runtime_segment->signal_number);
    return copy;
}

EXPORT int sigprocmask(int how, const sigset_t *set, sigset_t *before)
{
    sigset_t copy;
    return REAL(sigprocmask)(how, without_ours(how, set, &copy), before);
}

EXPORT int pthread_sigmask(int how, const sigset_t *set, sigset_t *before)
{
    sigset_t copy;
    return REAL(pthread_sigmask)(how, without_ours(how, set, &copy), before);
}

EXPORT int signalfd(int fd, const sigset_t *set, int flags)
{
    sigset_t copy;
    return REAL(signalfd)(fd, without_ours(SIG_BLOCK, set, &copy), flags);
}

/* ---- sending */

EXPORT int kill(pid_t pid, int number)
{
    sync_before_wake(NULL);
    return REAL(kill)(pid, number);
}

EXPORT int killpg(pid_t group, int number)
{
    sync_before_wake(NULL);
    return REAL(killpg)(group, number);
}

EXPORT int tgkill(pid_t pid, pid_t tid, int number)
{
    sync_before_wake(NULL);
    return REAL(tgkill)(pid, tid, number);
}

EXPORT int pthread_kill(pthread_t thread, int number)
{
    sync_before_wake(NULL);
    return REAL(pthread_kill)(thread, number);
}

EXPORT int sigqueue(pid_t pid, int number, const union sigval value)
{
    sync_before_wake(NULL);
    return REAL(sigqueue)(pid, number, value);
}

EXPORT int pthread_sigqueue(pthread_t thread, int number, const union sigval value)
{
    sync_before_wake(NULL);
    return REAL(pthread_sigqueue)(thread, number, value);
}

/* ---- waiting for one */

HOOK_INLINE void end_wait(int rc, const siginfo_t *info)
{
    bool by_peer = unlikely(!sync_is_level()) && rc > 0 && info->si_code <= 0 && info->si_code != SI_TIMER &&
                   peers_has_process(info->si_pid);
    sync_wait_end(NULL, by_peer ? WOKEN_BY_PEER : WOKEN_BY_OUTSIDE);
}

EXPORT int sigtimedwait(const sigset_t *restrict set, siginfo_t *restrict info,
                        const struct timespec *restrict timeout)
{
    sigset_t copy;
    siginfo_t received;
    struct timespec rest;
    int rc;
    struct interrupted wait = interrupted_begin(sync_wait_begin(NULL), UINT64_MAX);
    while ((rc = REAL(sigtimedwait)(without_ours(SIG_BLOCK, set, &copy), &received, timeout)) < 0 &&
           interrupted_goes_on(&wait, errno == EINTR))
        timeout = interrupted_rest(&wait, timeout, &rest);
    end_wait(rc, &received);
    if (rc > 0 && info)
        *info = received;
    return rc;
}

EXPORT int sigwaitinfo(const sigset_t *restrict set, siginfo_t *restrict info)
{
    return sigtimedwait(set, info, NULL);
}

/* This one never says EINTR, and says what failed without errno. */
EXPORT int sigwait(const sigset_t *restrict set, int *restrict number)
{
    int saved = errno, rc;
    do
        rc = sigtimedwait(set, NULL, NULL);
    while (rc < 0 && errno == EINTR);
    int failure = errno;
    errno = saved;
    if (rc < 0)
        return failure;
    *number = rc;
    return 0;
}

/* Ended by any handler that runs; ours is held back meanwhile, so that what ends the wait is the program's.
 * Who sent the signal is not told: the outside. */
EXPORT int sigsuspend(const sigset_t *mask)
{
    if (!thread_current.on)
        return REAL(sigsuspend)(mask);
    sigset_t copy = *mask;
    sigaddset(&copy, (int)runtime_segment->signal_number);
    sync_wait_begin(NULL);
    thread_current.nesting.holds_samples = true; /* but not in the program's handler */
    int rc = REAL(sigsuspend)(&copy);
    thread_current.nesting.holds_samples = false;
    sync_wait_end(NULL, WOKEN_BY_OUTSIDE);
    return rc;
}

EXPORT int pause(void)
{
    sigset_t mask;
    if (!thread_current.on)
        return REAL(pause)();
    REAL(pthread_sigmask)(SIG_BLOCK, NULL, &mask);
    return sigsuspend(&mask);
}
