/* Our one signal stays ours: it is not blocked when the program blocks "all", and its handler cannot be
 * replaced. */
#include "runtime/hooks.h"

#include <string.h>

static bool is_ours(int number)
{
    return runtime_segment && number == (int)runtime_segment->signal_number;
}

/* The program's mask without our signal, in *copy, when the call would block it. */
static const sigset_t *without_ours(int how, const sigset_t *set, sigset_t *copy)
{
    if (!set || how == SIG_UNBLOCK || !runtime_segment)
        return set;
    *copy = *set;
    sigdelset(copy, (int)runtime_segment->signal_number);
    return copy;
}

EXPORT int sigaction(int number, const struct sigaction *action, struct sigaction *before)
{
    if (!is_ours(number))
        return REAL(sigaction)(number, action, before);
    if (before)
        memset(before, 0, sizeof *before); /* SIG_DFL: nothing was ever installed */
    return 0;
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
