/* A thread that restricts its own system calls is not profiled from there on: a filter need not know ours,
 * and may end the program for one. Its children are not profiled either, for they have the filter too. */
#include "runtime/calls/sync.h"
#include "runtime/core/descriptors.h"
#include "runtime/core/kernel.h"
#include "runtime/real/list.h"

#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

enum { LONGEST_WAIT_MS = 1000 };

/* Not <sys/prctl.h>'s declaration: see hook_syscall(). */
EXPORT int hook_prctl(int option, unsigned long a, unsigned long b, unsigned long c,
                      unsigned long d) __asm__("prctl");

atomic_bool runtime_left;
static _Atomic unsigned working; /* threads that are at it */

bool runtime_begin_work(void)
{
    atomic_fetch_add(&working, 1);
    if (likely(!atomic_load(&runtime_left)))
        return true;
    runtime_end_work();
    return false;
}

void runtime_end_work(void)
{
    atomic_fetch_sub(&working, 1);
}

void runtime_work_after_fork(void)
{
    atomic_store(&working, 0);
}

/* A filter for all threads at once. Their events are closed here, and their timers fire once at most. */
void runtime_leave_process(void)
{
    if (!thread_current.on)
        return;
    runtime_leave_thread();
    atomic_store(&runtime_left, true);
    for (int i = 0; i < LONGEST_WAIT_MS && atomic_load(&working); i++)
        kernel_call(SYS_nanosleep, (long)&(struct timespec){.tv_nsec = 1000000}, 0, 0, 0, 0, 0);
    descriptors_after_fork();
}

void runtime_leave_thread(void)
{
    if (!thread_current.on)
        return;
    sync_before_wake(NULL);
    thread_stop();
    runtime_say(
        "the program restricts its system calls (seccomp): the threads that do are not profiled from there "
        "on");
}

int hook_prctl(int option, unsigned long a, unsigned long b, unsigned long c, unsigned long d)
{
    if (unlikely(option == PR_SET_SECCOMP))
        runtime_leave_thread();
    return REAL(prctl)(option, a, b, c, d);
}
