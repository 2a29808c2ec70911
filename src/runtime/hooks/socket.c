/* Pipes and sockets: what the tree makes is written down, so that messages through it are known for wake-ups
 * by a peer. */
#include "runtime/calls/call_point.h"
#include "runtime/calls/transfer.h"
#include "runtime/core/declarations.h"

/* What programs call that are built with _FORTIFY_SOURCE; not in any header. */
EXPORT ssize_t __recv_chk(int fd, void *bytes, size_t size, size_t room, int flags);
EXPORT ssize_t __recvfrom_chk(int fd, void *bytes, size_t size, size_t room, int flags, struct sockaddr *from,
                              socklen_t *from_size);

/* ---- making them */

static int note_pair(int rc, const int fds[2])
{
    if (rc == 0 && thread_current.on) {
        peers_add_channel(fds[0]);
        peers_add_channel(fds[1]);
    }
    return rc;
}

EXPORT int pipe(int fds[2])
{
    return note_pair(REAL(pipe)(fds), fds);
}

EXPORT int pipe2(int fds[2], int flags)
{
    return note_pair(REAL(pipe2)(fds, flags), fds);
}

EXPORT int socketpair(int domain, int type, int protocol, int fds[2])
{
    return note_pair(REAL(socketpair)(domain, type, protocol, fds), fds);
}

/* ---- connecting them */

/* Whoever waits for connections goes on. */
HOOK_INLINE int connect_and_wake(int fd, CONST_ADDRESS_ARGUMENT to, socklen_t size)
{
    waits_note_arrival(&thread_current);
    return REAL(connect)(fd, ADDRESS_IN(to), size);
}

EXPORT int connect(int fd, CONST_ADDRESS_ARGUMENT to, socklen_t size)
{
    int rc;
    TRANSFER(rc, connect_and_wake(fd, to, size), WAIT_POLL, fd, -1);
    if (thread_current.on && (rc == 0 || errno == EINPROGRESS)) {
        peers_add_address(ADDRESS_IN(to), size);
        peers_add_connection(fd, ADDRESS_IN(to), size);
    }
    call_ended(CALL_connect, rc == 0);
    return rc;
}

static int note_accepted(int rc)
{
    if (rc >= 0 && thread_current.on)
        peers_add_connection(rc, NULL, 0);
    return rc;
}

EXPORT int accept(int fd, ADDRESS_ARGUMENT from, socklen_t *size)
{
    int rc;
    TRANSFER(rc, REAL(accept)(fd, ADDRESS_IN(from), size), WAIT_POLL, fd, -1);
    call_ended(CALL_accept, rc >= 0);
    return note_accepted(rc);
}

EXPORT int accept4(int fd, ADDRESS_ARGUMENT from, socklen_t *size, int flags)
{
    int rc;
    TRANSFER(rc, REAL(accept4)(fd, ADDRESS_IN(from), size, flags), WAIT_POLL, fd, -1);
    call_ended(CALL_accept4, rc >= 0);
    return note_accepted(rc);
}

/* ---- receiving */

EXPORT ssize_t recv(int fd, void *bytes, size_t size, int flags)
{
    ssize_t rc;
    TRANSFER_BYTES(rc, REAL(recv)(fd, bytes, size, flags), REST_RECEIVE, fd, bytes, size, flags);
    call_ended(CALL_recv, rc > 0);
    return rc;
}

ssize_t __recv_chk(int fd, void *bytes, size_t size, size_t room, int flags)
{
    ssize_t rc;
    TRANSFER_BYTES(rc, REAL(__recv_chk)(fd, bytes, size, room, flags), REST_RECEIVE, fd, bytes, size, flags);
    call_ended(CALL_recv, rc > 0);
    return rc;
}

EXPORT ssize_t recvfrom(int fd, void *bytes, size_t size, int flags, ADDRESS_ARGUMENT from,
                        socklen_t *from_size)
{
    ssize_t rc;
    TRANSFER_BYTES(rc, REAL(recvfrom)(fd, bytes, size, flags, ADDRESS_IN(from), from_size), REST_RECEIVE, fd,
                   bytes, size, flags);
    call_ended(CALL_recvfrom, rc > 0);
    return rc;
}

ssize_t __recvfrom_chk(int fd, void *bytes, size_t size, size_t room, int flags, struct sockaddr *from,
                       socklen_t *from_size)
{
    ssize_t rc;
    TRANSFER_BYTES(rc, REAL(__recvfrom_chk)(fd, bytes, size, room, flags, from, from_size), REST_RECEIVE, fd,
                   bytes, size, flags);
    call_ended(CALL_recvfrom, rc > 0);
    return rc;
}

/* What else may come with the rest would have no place beside what came. */
static ssize_t received_more(int fd, const struct msghdr *message, int flags, struct transfer *transfer,
                             ssize_t rc)
{
    if (message->msg_control)
        return rc;
    return rest_of_parts(REST_RECEIVE, fd, message->msg_iov, message->msg_iovlen, flags,
                         transfer->wait.began_ns, &transfer->mark, rc);
}

EXPORT ssize_t recvmsg(int fd, struct msghdr *message, int flags)
{
    ssize_t rc;
    TRANSFER_ALL(rc, REAL(recvmsg)(fd, message, flags), WAIT_READ, SIZE_MAX,
                 received_more(fd, message, flags, &transfer, rc), fd, -1);
    call_ended(CALL_recvmsg, rc > 0);
    return rc;
}

EXPORT int recvmmsg(int fd, struct mmsghdr *messages, unsigned count, messages_flags flags,
                    struct timespec *timeout)
{
    int rc;
    TRANSFER(rc, REAL(recvmmsg)(fd, messages, count, flags, timeout), WAIT_READ, fd, -1);
    call_ended(CALL_recvmmsg, rc > 0);
    return rc;
}

/* ---- sending */

static void sent_to(const void *to, socklen_t size)
{
    if (unlikely(to != NULL) && thread_current.on)
        peers_add_address(to, size);
}

EXPORT ssize_t send(int fd, const void *bytes, size_t size, int flags)
{
    ssize_t rc;
    TRANSFER_BYTES(rc, REAL(send)(fd, bytes, size, flags), REST_SEND, fd, bytes, size, flags);
    call_ended(CALL_send, rc >= 0);
    return rc;
}

EXPORT ssize_t sendto(int fd, const void *bytes, size_t size, int flags, CONST_ADDRESS_ARGUMENT to,
                      socklen_t to_size)
{
    ssize_t rc;
    TRANSFER_BYTES(rc, REAL(sendto)(fd, bytes, size, flags, ADDRESS_IN(to), to_size), REST_SEND, fd, bytes,
                   size, flags);
    if (rc >= 0)
        sent_to(ADDRESS_IN(to), to_size);
    call_ended(CALL_sendto, rc >= 0);
    return rc;
}

EXPORT ssize_t sendmsg(int fd, const struct msghdr *message, int flags)
{
    ssize_t rc;
    TRANSFER_PARTS(rc, REAL(sendmsg)(fd, message, flags), REST_SEND, fd, message->msg_iov,
                   message->msg_iovlen, flags);
    if (rc >= 0)
        sent_to(message->msg_name, message->msg_namelen);
    call_ended(CALL_sendmsg, rc >= 0);
    return rc;
}

EXPORT int sendmmsg(int fd, struct mmsghdr *messages, unsigned count, messages_flags flags)
{
    int rc;
    TRANSFER(rc, REAL(sendmmsg)(fd, messages, count, flags), WAIT_WRITE, fd, -1);
    for (int i = 0; i < rc; i++)
        sent_to(messages[i].msg_hdr.msg_name, messages[i].msg_hdr.msg_namelen);
    call_ended(CALL_sendmmsg, rc > 0);
    return rc;
}
