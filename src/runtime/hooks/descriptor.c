/* Descriptors that are closed or replaced. The end of one may wake whoever waits on its other end; and the
 * runtime's own are to the program as if they were not there: it does not close them, and may have their
 * numbers. */
#include "runtime/calls/call_point.h"
#include "runtime/core/descriptors.h"
#include "runtime/real/list.h"
#include "runtime/sampling/own_signal.h"

#include <errno.h>
#include <limits.h>

EXPORT int close(int fd)
{
    if (unlikely(descriptors_is_kept(fd))) {
        errno = EBADF;
        return -1;
    }
    sync_before_wake(NULL);
    int rc = REAL(close)(fd);
    call_ended(CALL_close, rc == 0);
    return rc;
}

EXPORT int shutdown(int fd, int how)
{
    sync_before_wake(NULL);
    int rc = REAL(shutdown)(fd, how);
    call_ended(CALL_shutdown, rc == 0);
    return rc;
}

/* What lies between two of ours. Kernels before 5.9 close one by one. */
static int close_between(unsigned first, unsigned last, int flags)
{
    if (first > last)
        return 0;
    int rc = REAL(close_range)(first, last, flags);
    if (rc == 0 || errno != ENOSYS || last == UINT_MAX)
        return rc;
    for (unsigned fd = first; fd <= last; fd++)
        REAL(close)((int)fd);
    return 0;
}

EXPORT int close_range(unsigned first, unsigned last, int flags)
{
    sync_before_wake(NULL);
    unsigned from = first;
    for (int kept; from <= last && from <= INT_MAX && (kept = descriptors_next((int)from)) >= 0 &&
                   (unsigned)kept <= last;
         from = (unsigned)kept + 1)
        close_between(from, (unsigned)kept - 1, flags);
    return from == first || from <= last ? REAL(close_range)(from, last, flags) : 0;
}

EXPORT void closefrom(int low)
{
    sync_before_wake(NULL);
    int from = low < 0 ? 0 : low;
    for (int kept; (kept = descriptors_next(from)) >= 0; from = kept + 1)
        if (kept)
            close_between((unsigned)from, (unsigned)kept - 1, 0);
    REAL(closefrom)(from);
}

/* ---- taking a number over. Its thread is told by a sample; the child of a vfork() has descriptors of its
 * own, but its parent's memory. */

static pid_t take_number(int fd)
{
    if (likely(!descriptors_is_kept(fd)) || (thread_current.on && gettid() != thread_current.tid))
        return 0;
    return descriptors_give(fd);
}

static int end_taking(int fd, pid_t tid, int rc)
{
    if (likely(!tid))
        return rc;
    if (rc < 0)
        descriptors_give_back(fd, tid);
    else
        own_signal_send(tid, own_signal());
    return rc;
}

EXPORT int dup2(int fd, int number)
{
    sync_before_wake(NULL);
    pid_t tid = fd == number ? 0 : take_number(number);
    return end_taking(number, tid, REAL(dup2)(fd, number));
}

EXPORT int dup3(int fd, int number, int flags)
{
    sync_before_wake(NULL);
    pid_t tid = fd == number ? 0 : take_number(number);
    return end_taking(number, tid, REAL(dup3)(fd, number, flags));
}
