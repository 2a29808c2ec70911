/* Waits for the outside: sleeps, and descriptors becoming ready. Whatever became due meanwhile is owed
 * afterwards.
 *
 * These return EINTR after any signal, SA_RESTART or not. A program that never sends itself signals need not
 * expect that, so when the signal was our sample the call goes on, with the time that was left. */
#include "runtime/clock.h"
#include "runtime/hooks.h"
#include "runtime/sync.h"

#include <errno.h>

/* One wait of the calling thread, over as many calls as our samples make of it. */
struct wait {
    unsigned samples; /* taken when the current call began */
    uint64_t end_ns;  /* CLOCK_MONOTONIC; UINT64_MAX: never */
};

static struct wait begin(uint64_t timeout_ns)
{
    sync_wait_begin(NULL);
    uint64_t now = clock_wall_ns();
    return (struct wait){sync_samples(), timeout_ns > UINT64_MAX - now ? UINT64_MAX : now + timeout_ns};
}

/* True when the call ended for nothing but a sample of ours and is to go on. */
static bool goes_on(struct wait *wait, bool interrupted)
{
    unsigned now = sync_samples();
    bool ours = interrupted && now != wait->samples;
    wait->samples = now;
    return ours;
}

static uint64_t left_ns(const struct wait *wait)
{
    uint64_t now = clock_wall_ns();
    return now < wait->end_ns ? wait->end_ns - now : 0;
}

static int end(int rc)
{
    sync_wait_end(NULL, WOKEN_BY_OUTSIDE);
    return rc;
}

static uint64_t timespec_ns(const struct timespec *time)
{
    if (!time || time->tv_sec < 0 || time->tv_sec > INT32_MAX)
        return UINT64_MAX;
    return (uint64_t)time->tv_sec * 1000000000u + (uint64_t)time->tv_nsec;
}

static struct timespec *left(const struct wait *wait, struct timespec *time)
{
    if (wait->end_ns == UINT64_MAX)
        return NULL;
    uint64_t ns = left_ns(wait);
    *time = (struct timespec){(time_t)(ns / 1000000000u), (long)(ns % 1000000000u)};
    return time;
}

EXPORT int nanosleep(const struct timespec *time, struct timespec *remaining)
{
    struct timespec rest, *request = (struct timespec *)time;
    struct wait wait = begin(0);
    int rc;
    while ((rc = REAL(nanosleep)(request, &rest)) < 0 && goes_on(&wait, errno == EINTR))
        request = &rest;
    if (rc < 0 && errno == EINTR && remaining)
        *remaining = rest;
    return end(rc);
}

EXPORT int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time,
                           struct timespec *remaining)
{
    struct timespec rest, *request = (struct timespec *)time;
    struct wait wait = begin(0);
    int rc;
    while ((rc = REAL(clock_nanosleep)(clock, flags, request, &rest)) && goes_on(&wait, rc == EINTR))
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
    struct wait wait = begin(timeout_ms < 0 ? UINT64_MAX : (uint64_t)timeout_ms * 1000000u);
    int rc;
    while ((rc = REAL(poll)(fds, count, timeout_ms)) < 0 && goes_on(&wait, errno == EINTR))
        if (timeout_ms > 0)
            timeout_ms = (int)((left_ns(&wait) + 999999) / 1000000);
    return end(rc);
}

EXPORT int ppoll(struct pollfd *fds, nfds_t count, const struct timespec *timeout, const sigset_t *mask)
{
    struct timespec rest;
    struct wait wait = begin(timespec_ns(timeout));
    int rc;
    while ((rc = REAL(ppoll)(fds, count, timeout, mask)) < 0 && goes_on(&wait, errno == EINTR))
        timeout = left(&wait, &rest);
    return end(rc);
}

EXPORT int epoll_wait(int epoll, struct epoll_event *events, int most, int timeout_ms)
{
    struct wait wait = begin(timeout_ms < 0 ? UINT64_MAX : (uint64_t)timeout_ms * 1000000u);
    int rc;
    while ((rc = REAL(epoll_wait)(epoll, events, most, timeout_ms)) < 0 && goes_on(&wait, errno == EINTR))
        if (timeout_ms > 0)
            timeout_ms = (int)((left_ns(&wait) + 999999) / 1000000);
    return end(rc);
}

EXPORT int epoll_pwait(int epoll, struct epoll_event *events, int most, int timeout_ms, const sigset_t *mask)
{
    struct wait wait = begin(timeout_ms < 0 ? UINT64_MAX : (uint64_t)timeout_ms * 1000000u);
    int rc;
    while ((rc = REAL(epoll_pwait)(epoll, events, most, timeout_ms, mask)) < 0 &&
           goes_on(&wait, errno == EINTR))
        if (timeout_ms > 0)
            timeout_ms = (int)((left_ns(&wait) + 999999) / 1000000);
    return end(rc);
}

/* After EINTR the sets are as they were, and Linux has put the time that is left into *timeout. */
EXPORT int select(int count, fd_set *in, fd_set *out, fd_set *except, struct timeval *timeout)
{
    struct wait wait = begin(0);
    int rc;
    do
        rc = REAL(select)(count, in, out, except, timeout);
    while (rc < 0 && goes_on(&wait, errno == EINTR));
    return end(rc);
}

EXPORT int pselect(int count, fd_set *in, fd_set *out, fd_set *except, const struct timespec *timeout,
                   const sigset_t *mask)
{
    struct timespec rest;
    struct wait wait = begin(timespec_ns(timeout));
    int rc;
    while ((rc = REAL(pselect)(count, in, out, except, timeout, mask)) < 0 && goes_on(&wait, errno == EINTR))
        timeout = left(&wait, &rest);
    return end(rc);
}
