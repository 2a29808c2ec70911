#include "runtime/sampling/own_signal.h"

#include "runtime/core/kernel.h"
#include "runtime/real/list.h"

#include <errno.h>
#include <string.h>

enum {
    MASK_SIZE = 8,
    LATE_SAMPLES = 4,
    SENT_AGAIN = -1000, /* and below: no code of the kernel's, less one that was not to be said */
};

_Atomic int own_signal_current;

static struct sigaction ours;
static _Atomic bool given_up[_NSIG], ignored[_NSIG];
static atomic_bool has_events; /* of perf */
_Atomic unsigned own_signal_sent_again;

/* In this thread: the signal that is kept open, and whether the program thinks that it is not. */
static __thread struct {
    int number;
    bool is_hidden;
} kept;

static bool is_real_time(int number)
{
    return number >= SIGRTMIN && number <= SIGRTMAX;
}

bool own_signal_was_given_up(int number)
{
    return number > 0 && number < _NSIG && atomic_load_explicit(&given_up[number], memory_order_relaxed);
}

/* Nothing is installed for it, and the program has not asked for it. */
static bool is_free(int number, const sigset_t *avoid)
{
    struct sigaction there;
    if (own_signal_was_given_up(number) || (avoid && sigismember(avoid, number) == 1))
        return false;
    return REAL(sigaction)(number, NULL, &there) == 0 && !(there.sa_flags & SA_SIGINFO) &&
           there.sa_handler == SIG_DFL;
}

/* Programs take them from both ends, and more often from the lower one. */
static int choose_number(const sigset_t *avoid)
{
    int first = (int)runtime_segment->signal_number;
    if (!is_real_time(first))
        first = SIGRTMAX;
    for (int number = first; number >= SIGRTMIN; number--)
        if (is_free(number, avoid))
            return number;
    for (int number = first + 1; number <= SIGRTMAX; number++)
        if (is_free(number, avoid))
            return number;
    return 0;
}

int own_signal_begin(const struct sigaction *action)
{
    ours = *action;
    int number = choose_number(NULL);
    atomic_store(&own_signal_current, number);
    return number && REAL(sigaction)(number, &ours, NULL) ? -errno : 0;
}

bool own_signal_give_up(int number, const sigset_t *avoid, bool is_asked_for)
{
    int next = choose_number(avoid);
    if (next == number || (!next && !is_asked_for) || (next && REAL(sigaction)(next, &ours, NULL)))
        return false;
    atomic_store(&given_up[number], true);
    return atomic_compare_exchange_strong(&own_signal_current, &number, next);
}

void own_signal_guard(int number)
{
    struct sigaction there;
    if (REAL(sigaction)(number, NULL, &there) == 0 && !(there.sa_flags & SA_SIGINFO) &&
        there.sa_handler == SIG_DFL)
        REAL(sigaction)(number, &ours, NULL);
}

/* A perf event says on which descriptor. When the program has just taken that number over, its last signal
 * may still be on the way: so where there ever was an event, no such signal is anybody else's. */
bool own_signal_is_sample(const siginfo_t *info)
{
    if (info->si_code == SI_TIMER || info->si_code == SI_QUEUE)
        return info->si_value.sival_ptr == (void *)SEGMENT_SIGNAL_VALUE;
    return info->si_code >= POLL_IN && info->si_code <= POLL_HUP &&
           atomic_load_explicit(&has_events, memory_order_relaxed);
}

void own_signal_expect_events(void)
{
    atomic_store_explicit(&has_events, true, memory_order_relaxed);
}

bool own_signal_send(pid_t tid, int number)
{
    siginfo_t info;
    memset(&info, 0, sizeof info);
    info.si_signo = number;
    info.si_code = SI_QUEUE;
    info.si_pid = getpid();
    info.si_value.sival_ptr = (void *)SEGMENT_SIGNAL_VALUE;
    return kernel_call(SYS_rt_tgsigqueueinfo, getpid(), tid, number, (long)&info, 0, 0) == 0;
}

static long send_to_process(int number, const siginfo_t *info)
{
    long rc = kernel_call(SYS_rt_sigqueueinfo, getpid(), number, (long)info, 0, 0, 0);
    if (rc != -EPERM)
        return rc;
    /* Only the first thread may say that somebody else, or the kernel, has sent it. */
    siginfo_t marked = *info;
    marked.si_code = SENT_AGAIN - info->si_code;
    return kernel_call(SYS_rt_sigqueueinfo, getpid(), number, (long)&marked, 0, 0, 0);
}

/* To whom it was sent, the thread or the process, only tgkill() tells. Where the queue is full (EAGAIN), the
 * kernel takes the signal all the same when it says that it came from kill(): without what it carries. */
void own_signal_send_again(int number, const siginfo_t *info)
{
    atomic_fetch_add(&own_signal_sent_again, 1);
    siginfo_t bare = {.si_signo = number, .si_code = SI_USER};
    if (info->si_code == SI_TKILL) {
        if (kernel_call(SYS_rt_tgsigqueueinfo, getpid(), gettid(), number, (long)info, 0, 0) == -EAGAIN)
            kernel_call(SYS_rt_tgsigqueueinfo, getpid(), gettid(), number, (long)&bare, 0, 0);
    } else if (send_to_process(number, info) == -EAGAIN) {
        kernel_call(SYS_kill, getpid(), number, 0, 0, 0, 0);
    }
}

void own_signal_unmark(siginfo_t *info)
{
    if (info->si_code <= SENT_AGAIN)
        info->si_code = SENT_AGAIN - info->si_code;
}

void own_signal_drain(int number)
{
    uint64_t only = 1ull << (number - 1);
    struct timespec at_once = {0, 0};
    siginfo_t info;
    for (int i = 0; i < LATE_SAMPLES; i++) {
        if (kernel_call(SYS_rt_sigtimedwait, (long)&only, (long)&info, (long)&at_once, MASK_SIZE, 0, 0) < 0)
            return;
        if (!own_signal_is_sample(&info)) {
            own_signal_send_again(number, &info);
            return;
        }
    }
}

bool own_signal_is_ignored(int number)
{
    return atomic_load_explicit(&ignored[number], memory_order_relaxed);
}

void own_signal_set_ignored(int number, bool is_ignored)
{
    atomic_store_explicit(&ignored[number], is_ignored, memory_order_relaxed);
}

void own_signal_open(void)
{
    int number = own_signal();
    sigset_t only, before;
    if (!number)
        return;
    sigemptyset(&only);
    sigaddset(&only, number);
    /* Known before it is opened: somebody else's may have been pending since before the program was executed.
     */
    REAL(pthread_sigmask)(SIG_BLOCK, NULL, &before);
    kept.is_hidden = sigismember(&before, number) == 1 || own_signal_is_hidden();
    kept.number = number;
    REAL(pthread_sigmask)(SIG_UNBLOCK, &only, NULL);
}

bool own_signal_is_hidden(void)
{
    return kept.is_hidden && kept.number == own_signal();
}

void own_signal_set_hidden(bool is_hidden)
{
    kept.number = own_signal();
    kept.is_hidden = is_hidden;
}

bool own_signal_change_mask(sigset_t *mask)
{
    int number = own_signal();
    if (kept.number == number)
        return false;
    if (kept.number && kept.is_hidden)
        sigaddset(mask, kept.number);
    else if (kept.number)
        sigdelset(mask, kept.number);
    kept.is_hidden = number && sigismember(mask, number) == 1;
    kept.number = number;
    if (number)
        sigdelset(mask, number);
    return true;
}

void own_signal_block_all(sigset_t *before)
{
    uint64_t all = UINT64_MAX;
    sigemptyset(before);
    kernel_call(SYS_rt_sigprocmask, SIG_SETMASK, (long)&all, (long)before, MASK_SIZE, 0, 0);
}

void own_signal_set_mask(const sigset_t *mask)
{
    kernel_call(SYS_rt_sigprocmask, SIG_SETMASK, (long)mask, 0, MASK_SIZE, 0, 0);
}
