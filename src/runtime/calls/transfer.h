/* Calls that move bytes or connections, and wait if they must: each may wake whoever waits on the other end,
 * and may be woken from there. Who did it is asked only when it matters: when the call took long, and more
 * delay became due meanwhile. */
#pragma once

#include "runtime/calls/interrupted.h"
#include "runtime/calls/peers.h"
#include "runtime/calls/rest.h"
#include "runtime/calls/sync.h"
#include "runtime/real/list.h"

#include <errno.h>

/* The kernel restarts these after our signal, unless the socket has a timeout (SO_RCVTIMEO), which begins
 * anew then: so not for ever. */
enum { TRANSFER_RESTARTS = 8 };

struct transfer {
    struct interrupted wait;
    struct rest_mark mark;
    int restarts;
};

HOOK_INLINE struct transfer transfer_begin(enum wait_class class)
{
    if (unlikely(!thread_current.on))
        return (struct transfer){.mark = rest_mark(), .restarts = TRANSFER_RESTARTS};
    struct wait wait = sync_wait_begin(NULL, class);
    return (struct transfer){.wait = interrupted_begin(wait, UINT64_MAX), .mark = rest_mark()};
}

static inline bool transfer_goes_on(struct transfer *transfer, bool failed)
{
    return unlikely(failed) && transfer->restarts < TRANSFER_RESTARTS &&
           interrupted_goes_on(&transfer->wait, errno == EINTR) && ++transfer->restarts;
}

/* The call on one or two descriptors (-1: none) is over. */
HOOK_INLINE void transfer_end(const struct transfer *transfer, bool failed, int fd, int second_fd)
{
    bool by_peer = sync_waker_matters() && !failed && peers_have_waited(transfer->wait.began_ns) &&
                   (peers_are_at(fd) || (second_fd >= 0 && peers_are_at(second_fd)));
    sync_wait_end(NULL, by_peer ? WOKEN_BY_PEER : WOKEN_BY_OUTSIDE);
}

/* Makes the call, as often as our samples end it, and leaves its result in rc. */
#define TRANSFER(rc, call, class, fd, second_fd) TRANSFER_ALL(rc, call, class, 0, rc, fd, second_fd)

/* The same for one that is to move so many bytes: `rest` moves what a sample of ours has left. */
#define TRANSFER_ALL(rc, call, class, size, rest, fd, second_fd)                                             \
    struct transfer transfer = transfer_begin(class);                                                        \
    do                                                                                                       \
        rc = (call);                                                                                         \
    while (transfer_goes_on(&transfer, rc < 0));                                                             \
    if (rest_is_left(&transfer.mark, rc, size))                                                              \
        rc = (rest);                                                                                         \
    transfer_end(&transfer, rc < 0, fd, second_fd)

/* Bytes in one piece, and in parts. */
#define TRANSFER_BYTES(rc, call, way, fd, bytes, size, flags)                                                \
    TRANSFER_ALL(rc, call, rest_class(way), size,                                                            \
                 rest_of(way, fd, bytes, size, flags, transfer.wait.began_ns, &transfer.mark, (ssize_t)rc),  \
                 fd, -1)
#define TRANSFER_PARTS(rc, call, way, fd, parts, count, flags)                                               \
    TRANSFER_ALL(rc, call, rest_class(way), SIZE_MAX,                                                        \
                 rest_of_parts(way, fd, parts, (size_t)(count), flags, transfer.wait.began_ns,               \
                               &transfer.mark, (ssize_t)rc),                                                 \
                 fd, -1)
