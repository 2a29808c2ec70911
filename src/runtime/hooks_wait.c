/* Waits for the outside: sleeps, and descriptors becoming ready. Whatever became due meanwhile is owed
 * afterwards. */
#include "runtime/hooks.h"
#include "runtime/interrupted.h"
#include "runtime/sync.h"

#include <errno.h>

static struct interrupted begin(uint64_t timeout_ns)
{
    sync_wait_begin(NULL);
    return interrupted_begin(timeout_ns);
}

static int end(int rc)
{
    sync_wait_end(NULL, WOKEN_BY_OUTSIDE);
    return rc;
}

EXPORT int nanosleep(const struct timespec *time, struct timespec *remaining)
{
    struct timespec rest, *request = (struct timespec *)time;
    struct interrupted wait = begin(0);
    int rc;
    while ((rc = REAL(nanosleep)(request, &rest)) < 0 && interrupted_goes_on(&wait, errno == EINTR))
        request = &rest;
    if (rc < 0 && errno == EINTR && remaining)
        *remaining = rest;
    return end(rc);
}

EXPORT int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time,
                           struct timespec *remaining)
{
    struct timespec rest, *request = (struct timespec *)time;
    struct interrupted wait = begin(0);
    int rc;
    while ((rc = REAL(clock_nanosleep)(clock, flags, request, &rest)) &&
           interrupted_goes_on(&wait, rc == EINTR))
        if (!(flags & TIMER_ABSTIME))
            request = &rest;
    if (rc == EINTR && remaining && !(flags & TIMER_ABSTIME))
        *remaining = rest;
    return end(rc);
}

EXPORT int usleep(useconds_t us)
{
    struct timespec time = {us / 1000000, (long)(us % 1000000) * 1000};
    return nanosleep(&time, NULL);
}

EXPORT unsigned sleep(unsigned seconds)
{
    struct timespec time = {(time_t)seconds, 0}, rest = {0, 0};
    int saved = errno;
    if (nanosleep(&time, &rest) == 0) {
        errno = saved;
        return 0;
    }
    return (unsigned)rest.tv_sec + (rest.tv_nsec >= 500000000);
}

EXPORT int poll(struct pollfd *fds, nfds_t count, int timeout_ms)
{
    struct interrupted wait = begin(timeout_ms < 0 ? UINT64_MAX : (uint64_t)timeout_ms * 1000000u);
    int rc;
    while ((rc = REAL(poll)(fds, count, timeout_ms)) < 0 && interrupted_goes_on(&wait, errno == EINTR))
        if (timeout_ms > 0)
            timeout_ms = (int)((interrupted_left_ns(&wait) + 999999) / 1000000);
    return end(rc);
}

EXPORT int ppoll(struct pollfd *fds, nfds_t count, const struct timespec *timeout, const sigset_t *mask)
{
    struct timespec rest;
    struct interrupted wait = begin(interrupted_timeout_ns(timeout));
    int rc;
    while ((rc = REAL(ppoll)(fds, count, timeout, mask)) < 0 && interrupted_goes_on(&wait, errno == EINTR))
        timeout = interrupted_left(&wait, &rest);
    return end(rc);
}

EXPORT int epoll_wait(int epoll, struct epoll_event *events, int most, int timeout_ms)
{
    struct interrupted wait = begin(timeout_ms < 0 ? UINT64_MAX : (uint64_t)timeout_ms * 1000000u);
    int rc;
    while ((rc = REAL(epoll_wait)(epoll, events, most, timeout_ms)) < 0 &&
           interrupted_goes_on(&wait, errno == EINTR))
        if (timeout_ms > 0)
            timeout_ms = (int)((interrupted_left_ns(&wait) + 999999) / 1000000);
    return end(rc);
}

EXPORT int epoll_pwait(int epoll, struct epoll_event *events, int most, int timeout_ms, const sigset_t *mask)
{
    struct interrupted wait = begin(timeout_ms < 0 ? UINT64_MAX : (uint64_t)timeout_ms * 1000000u);
    int rc;
    while ((rc = REAL(epoll_pwait)(epoll, events, most, timeout_ms, mask)) < 0 &&
           interrupted_goes_on(&wait, errno == EINTR))
        if (timeout_ms > 0)
            timeout_ms = (int)((interrupted_left_ns(&wait) + 999999) / 1000000);
    return end(rc);
}

/* After EINTR the sets are as they were, and Linux has put the time that is left into *timeout. */
EXPORT int select(int count, fd_set *in, fd_set *out, fd_set *except, struct timeval *timeout)
{
    struct interrupted wait = begin(0);
    int rc;
    do
        rc = REAL(select)(count, in, out, except, timeout);
    while (rc < 0 && interrupted_goes_on(&wait, errno == EINTR));
    return end(rc);
}

EXPORT int pselect(int count, fd_set *in, fd_set *out, fd_set *except, const struct timespec *timeout,
                   const sigset_t *mask)
{
    struct timespec rest;
    struct interrupted wait = begin(interrupted_timeout_ns(timeout));
    int rc;
    while ((rc = REAL(pselect)(count, in, out, except, timeout, mask)) < 0 &&
           interrupted_goes_on(&wait, errno == EINTR))
        timeout = interrupted_left(&wait, &rest);
    return end(rc);
}
