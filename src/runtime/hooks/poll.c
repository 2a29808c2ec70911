/* Waiting until descriptors are ready. Of those that are, one that peers make ready is enough for a wake-up
 * by a peer. */
#include "runtime/calls/call_point.h"
#include "runtime/calls/epoll_sets.h"
#include "runtime/calls/interrupted.h"
#include "runtime/calls/peers.h"
#include "runtime/real/list.h"

#include <errno.h>

/* What programs call that are built with _FORTIFY_SOURCE; not in any header. */
EXPORT int __poll_chk(struct pollfd *fds, nfds_t count, int timeout_ms, size_t room);
EXPORT int __ppoll_chk(struct pollfd *fds, nfds_t count, const struct timespec *timeout, const sigset_t *mask,
                       size_t room);

enum { MOST_ASKED = 16 }; /* ready descriptors that are looked at, at most */

HOOK_INLINE struct interrupted poll_wait_begin(uint64_t timeout_ns)
{
    return interrupted_begin(sync_wait_begin(NULL, WAIT_POLL), timeout_ns);
}

/* Whether it must be asked who made the `ready` descriptors ready. */
HOOK_INLINE bool waker_matters(const struct interrupted *wait, int ready)
{
    return sync_waker_matters() && ready > 0 && peers_have_waited(wait->began_ns);
}

HOOK_INLINE void poll_wait_end(bool by_peer)
{
    sync_wait_end(NULL, by_peer ? WOKEN_BY_PEER : WOKEN_BY_OUTSIDE);
}

/* Milliseconds, as the calls want them: no shorter than what is left. */
static int left_ms(const struct interrupted *wait, int timeout_ms)
{
    return timeout_ms > 0 ? (int)((interrupted_left_ns(wait) + 999999) / 1000000) : timeout_ms;
}

static uint64_t from_ms(int timeout_ms)
{
    return timeout_ms < 0 ? UINT64_MAX : (uint64_t)timeout_ms * 1000000u;
}

/* ---- poll */

static bool peers_in_poll(const struct pollfd *fds, nfds_t count)
{
    int left = MOST_ASKED;
    for (nfds_t i = 0; i < count && left; i++)
        if (fds[i].revents && (left--, peers_are_at(fds[i].fd)))
            return true;
    return false;
}

EXPORT int poll(struct pollfd *fds, nfds_t count, int timeout_ms)
{
    struct interrupted wait = poll_wait_begin(from_ms(timeout_ms));
    int rc;
    while ((rc = REAL(poll)(fds, count, timeout_ms)) < 0 && interrupted_goes_on(&wait, errno == EINTR))
        timeout_ms = left_ms(&wait, timeout_ms);
    poll_wait_end(waker_matters(&wait, rc) && peers_in_poll(fds, count));
    call_ended(CALL_poll, rc > 0);
    return rc;
}

EXPORT int ppoll(struct pollfd *fds, nfds_t count, const struct timespec *timeout, const sigset_t *mask)
{
    struct timespec rest;
    struct interrupted wait = poll_wait_begin(UINT64_MAX);
    int rc;
    while ((rc = REAL(ppoll)(fds, count, timeout, mask)) < 0 && interrupted_goes_on(&wait, errno == EINTR))
        timeout = interrupted_rest(&wait, timeout, &rest);
    poll_wait_end(waker_matters(&wait, rc) && peers_in_poll(fds, count));
    call_ended(CALL_ppoll, rc > 0);
    return rc;
}

int __poll_chk(struct pollfd *fds, nfds_t count, int timeout_ms, size_t room)
{
    struct interrupted wait = poll_wait_begin(from_ms(timeout_ms));
    int rc;
    while ((rc = REAL(__poll_chk)(fds, count, timeout_ms, room)) < 0 &&
           interrupted_goes_on(&wait, errno == EINTR))
        timeout_ms = left_ms(&wait, timeout_ms);
    poll_wait_end(waker_matters(&wait, rc) && peers_in_poll(fds, count));
    call_ended(CALL_poll, rc > 0);
    return rc;
}

int __ppoll_chk(struct pollfd *fds, nfds_t count, const struct timespec *timeout, const sigset_t *mask,
                size_t room)
{
    struct timespec rest;
    struct interrupted wait = poll_wait_begin(UINT64_MAX);
    int rc;
    while ((rc = REAL(__ppoll_chk)(fds, count, timeout, mask, room)) < 0 &&
           interrupted_goes_on(&wait, errno == EINTR))
        timeout = interrupted_rest(&wait, timeout, &rest);
    poll_wait_end(waker_matters(&wait, rc) && peers_in_poll(fds, count));
    call_ended(CALL_ppoll, rc > 0);
    return rc;
}

/* ---- epoll */

static bool peers_in_epoll(int epoll, const struct epoll_event *events, int count)
{
    for (int i = 0; i < count && i < MOST_ASKED; i++) {
        int fd = epoll_sets_find(epoll, events[i].data.u64);
        if (fd >= 0 && peers_are_at(fd))
            return true;
    }
    return false;
}

EXPORT int epoll_ctl(int epoll, int operation, int fd, struct epoll_event *event)
{
    int rc = REAL(epoll_ctl)(epoll, operation, fd, event);
    if (rc == 0 && operation != EPOLL_CTL_DEL && thread_current.on)
        epoll_sets_add(epoll, event->data.u64, fd);
    return rc;
}

EXPORT int epoll_wait(int epoll, struct epoll_event *events, int most, int timeout_ms)
{
    struct interrupted wait = poll_wait_begin(from_ms(timeout_ms));
    int rc;
    while ((rc = REAL(epoll_wait)(epoll, events, most, timeout_ms)) < 0 &&
           interrupted_goes_on(&wait, errno == EINTR))
        timeout_ms = left_ms(&wait, timeout_ms);
    poll_wait_end(waker_matters(&wait, rc) && peers_in_epoll(epoll, events, rc));
    call_ended(CALL_epoll_wait, rc > 0);
    return rc;
}

EXPORT int epoll_pwait(int epoll, struct epoll_event *events, int most, int timeout_ms, const sigset_t *mask)
{
    struct interrupted wait = poll_wait_begin(from_ms(timeout_ms));
    int rc;
    while ((rc = REAL(epoll_pwait)(epoll, events, most, timeout_ms, mask)) < 0 &&
           interrupted_goes_on(&wait, errno == EINTR))
        timeout_ms = left_ms(&wait, timeout_ms);
    poll_wait_end(waker_matters(&wait, rc) && peers_in_epoll(epoll, events, rc));
    call_ended(CALL_epoll_pwait, rc > 0);
    return rc;
}

EXPORT int epoll_pwait2(int epoll, struct epoll_event *events, int most, const struct timespec *timeout,
                        const sigset_t *mask)
{
    struct timespec rest;
    struct interrupted wait = poll_wait_begin(UINT64_MAX);
    int rc;
    while ((rc = REAL(epoll_pwait2)(epoll, events, most, timeout, mask)) < 0 &&
           interrupted_goes_on(&wait, errno == EINTR))
        timeout = interrupted_rest(&wait, timeout, &rest);
    poll_wait_end(waker_matters(&wait, rc) && peers_in_epoll(epoll, events, rc));
    call_ended(CALL_epoll_pwait2, rc > 0);
    return rc;
}

/* ---- select */

static bool peers_in_sets(int count, const fd_set *in, const fd_set *out, const fd_set *except)
{
    int left = MOST_ASKED;
    for (int fd = 0; fd < count && left; fd++) {
        bool is_ready =
            (in && FD_ISSET(fd, in)) || (out && FD_ISSET(fd, out)) || (except && FD_ISSET(fd, except));
        if (is_ready && (left--, peers_are_at(fd)))
            return true;
    }
    return false;
}

/* After EINTR the sets are as they were, and Linux has put the time that is left into *timeout. */
EXPORT int select(int count, fd_set *in, fd_set *out, fd_set *except, struct timeval *timeout)
{
    struct interrupted wait = poll_wait_begin(UINT64_MAX);
    int rc;
    do
        rc = REAL(select)(count, in, out, except, timeout);
    while (rc < 0 && interrupted_goes_on(&wait, errno == EINTR));
    poll_wait_end(waker_matters(&wait, rc) && peers_in_sets(count, in, out, except));
    call_ended(CALL_select, rc > 0);
    return rc;
}

EXPORT int pselect(int count, fd_set *in, fd_set *out, fd_set *except, const struct timespec *timeout,
                   const sigset_t *mask)
{
    struct timespec rest;
    struct interrupted wait = poll_wait_begin(UINT64_MAX);
    int rc;
    while ((rc = REAL(pselect)(count, in, out, except, timeout, mask)) < 0 &&
           interrupted_goes_on(&wait, errno == EINTR))
        timeout = interrupted_rest(&wait, timeout, &rest);
    poll_wait_end(waker_matters(&wait, rc) && peers_in_sets(count, in, out, except));
    call_ended(CALL_pselect, rc > 0);
    return rc;
}
