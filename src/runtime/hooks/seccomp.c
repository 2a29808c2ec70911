/* A thread that restricts its own system calls is not profiled from there on: a filter need not know ours,
 * and may end the program for one. Its children are not profiled either, for they have the filter too. */
#include "runtime/hooks/seccomp.h"

#include "runtime/calls/names.h"
#include "runtime/calls/sync.h"
#include "runtime/core/departure.h"
#include "runtime/core/message.h"
#include "runtime/real/list.h"

#include <linux/seccomp.h>
#include <sys/prctl.h>

/* Not <sys/prctl.h>'s declaration: see hook_syscall(). */
EXPORT int hook_prctl(int option, unsigned long a, unsigned long b, unsigned long c,
                      unsigned long d) __asm__("prctl");

void seccomp_leave_thread(void)
{
    if (!thread_current.on)
        return;
    sync_before_wake(NULL);
    thread_stop();
    message_say(
        "the program restricts its system calls (seccomp): the threads that do are not profiled from there "
        "on");
}

void seccomp_leave_process(void)
{
    if (!thread_current.on)
        return;
    seccomp_leave_thread();
    departure_leave();
}

int hook_prctl(int option, unsigned long a, unsigned long b, unsigned long c, unsigned long d)
{
    if (unlikely(option == PR_SET_SECCOMP))
        seccomp_leave_thread();
    int rc = REAL(prctl)(option, a, b, c, d);
    if (unlikely(option == PR_SET_NAME))
        names_taken();
    return rc;
}
