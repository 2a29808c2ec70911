/* Our signal is not blocked when the program blocks "all", and does not end its waits; but the program is told
 * what it has asked for, and when it means that very signal it gets it (thread/give_way.h; handlers:
 * hooks/handler.c). Sending a signal may wake who waits for it. */
#include "runtime/calls/interrupted.h"
#include "runtime/calls/peers.h"
#include "runtime/calls/sync.h"
#include "runtime/real/list.h"
#include "runtime/sampling/own_signal.h"
#include "runtime/thread/breakpoints.h"
#include "runtime/thread/give_way.h"

#include <errno.h>
#include <string.h>
#include <sys/signalfd.h>

/* Not <signal.h>'s names: there sigpause() is X/Open's. */
EXPORT int hook_bsd_sigpause(int mask) __asm__("sigpause");
EXPORT int hook_xpg_sigpause(int number) __asm__("__xpg_sigpause");
EXPORT int __sigpause(int number_or_mask, int is_number);

/* The program's set without our signals, in *copy. */
static const sigset_t *without_ours(const sigset_t *set, sigset_t *copy)
{
    if (!set || !own_signal())
        return set;
    *copy = *set;
    sigdelset(copy, own_signal());
    if (breakpoints_has_alarms())
        sigdelset(copy, SIGTRAP);
    return copy;
}

HOOK_INLINE int change_mask(int (*real)(int, const sigset_t *, sigset_t *), int how, const sigset_t *set,
                            sigset_t *before)
{
    sigset_t copy;
    if (!own_signal() || give_way_is_vforked())
        return real(how, set, before);
    if (set && how != SIG_UNBLOCK)
        give_way_to_set(set);
    int number = own_signal();
    bool is_named = set && number && sigismember(set, number) == 1, was_hidden = own_signal_is_hidden();
    int rc = real(how, how == SIG_UNBLOCK ? set : without_ours(set, &copy), before);
    if (rc)
        return rc;
    if (before && was_hidden)
        sigaddset(before, number);
    if (set && number && (is_named || how == SIG_SETMASK))
        own_signal_set_hidden(is_named && how != SIG_UNBLOCK);
    return 0;
}

EXPORT int sigprocmask(int how, const sigset_t *set, sigset_t *before)
{
    return change_mask(REAL(sigprocmask), how, set, before);
}

EXPORT int pthread_sigmask(int how, const sigset_t *set, sigset_t *before)
{
    return change_mask(REAL(pthread_sigmask), how, set, before);
}

EXPORT int signalfd(int fd, const sigset_t *set, int flags)
{
    sigset_t copy;
    give_way_to_set(set);
    return REAL(signalfd)(fd, without_ours(set, &copy), flags);
}

/* ---- sending */

HOOK_INLINE void before_sending(int number)
{
    give_way_to_sender(number);
    sync_before_wake(NULL);
}

EXPORT int kill(pid_t pid, int number)
{
    before_sending(number);
    return REAL(kill)(pid, number);
}

EXPORT int killpg(pid_t group, int number)
{
    before_sending(number);
    return REAL(killpg)(group, number);
}

EXPORT int tgkill(pid_t pid, pid_t tid, int number)
{
    before_sending(number);
    return REAL(tgkill)(pid, tid, number);
}

EXPORT int pthread_kill(pthread_t thread, int number)
{
    before_sending(number);
    return REAL(pthread_kill)(thread, number);
}

EXPORT int sigqueue(pid_t pid, int number, const union sigval value)
{
    before_sending(number);
    return REAL(sigqueue)(pid, number, value);
}

EXPORT int pthread_sigqueue(pthread_t thread, int number, const union sigval value)
{
    before_sending(number);
    return REAL(pthread_sigqueue)(thread, number, value);
}

/* ---- waiting for one */

HOOK_INLINE void signal_wait_end(int rc, const siginfo_t *info)
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
    give_way_to_set(set);
    struct interrupted wait = interrupted_begin(sync_wait_begin(NULL, WAIT_SIGNAL), UINT64_MAX);
    for (;; timeout = interrupted_rest(&wait, timeout, &rest)) {
        rc = REAL(sigtimedwait)(without_ours(set, &copy), &received, timeout);
        if (rc > 0 && unlikely(own_signal_is_sample(&received)))
            give_way_follow_now();
        else if (rc > 0 || !interrupted_goes_on(&wait, errno == EINTR))
            break;
    }
    if (rc > 0)
        own_signal_unmark(&received);
    signal_wait_end(rc, &received);
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
    if (!thread_current.on || !own_signal())
        return REAL(sigsuspend)(mask);
    int rc, number;
    unsigned handlers = thread_current.nesting.handlers;
    sync_wait_begin(NULL, WAIT_SIGNAL);
    do { /* again when nothing came but word that samples go by another signal */
        sigset_t copy = *mask;
        number = own_signal();
        sigaddset(&copy, number);
        thread_current.nesting.holds_samples = true; /* but not in the program's handler */
        rc = REAL(sigsuspend)(&copy);
        thread_current.nesting.holds_samples = false;
    } while (number != own_signal() && own_signal() && thread_current.nesting.handlers == handlers);
    sync_wait_end(NULL, WOKEN_BY_OUTSIDE);
    return rc;
}

/* X/Open's: the thread's mask, but for one signal. BSD's: a mask of its own, of the first 32 signals. */
int __sigpause(int number_or_mask, int is_number)
{
    sigset_t mask;
    if (!is_number) {
        unsigned long first = (unsigned)number_or_mask;
        sigemptyset(&mask);
        memcpy(&mask, &first, sizeof first);
    } else if (pthread_sigmask(SIG_BLOCK, NULL, &mask) || sigdelset(&mask, number_or_mask)) {
        errno = EINVAL;
        return -1;
    }
    return sigsuspend(&mask);
}

int hook_bsd_sigpause(int mask)
{
    return __sigpause(mask, 0);
}

int hook_xpg_sigpause(int number)
{
    return __sigpause(number, 1);
}

EXPORT int pause(void)
{
    sigset_t mask;
    if (!thread_current.on)
        return REAL(pause)();
    pthread_sigmask(SIG_BLOCK, NULL, &mask);
    return sigsuspend(&mask);
}
