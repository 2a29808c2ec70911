/* Messages through pipes, event counters and sockets, by every call that sends, receives, or waits for one. A
 * channel that was made past the hooks is a stranger's. */
#include "probe.h"

#include "runtime/core/kernel.h"

#include <netinet/in.h>
#include <poll.h>
#include <stdint.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <sys/un.h>

/* What fortified programs call. */
extern ssize_t __read_chk(int, void *, size_t, size_t);
extern ssize_t __recv_chk(int, void *, size_t, size_t, int);
extern ssize_t __recvfrom_chk(int, void *, size_t, size_t, int, struct sockaddr *, socklen_t *);
extern int __poll_chk(struct pollfd *, nfds_t, int, size_t);
extern int __ppoll_chk(struct pollfd *, nfds_t, const struct timespec *, const sigset_t *, size_t);

static int in = -1, out = -1; /* of the channel in use */
static int spare = -1;        /* the listening socket, the epoll set, a second pipe's end */
static char byte = 'x', room[1 << 16];
static struct iovec part = {&byte, 1};
static const struct timespec minute = {60, 0};

static void use(int reading, int writing)
{
    for (int *fd[] = {&in, &out, &spare}, **p = fd; p < fd + 3; p++) {
        if (**p >= 0 && **p != reading && **p != writing)
            close(**p);
        **p = -1;
    }
    in = reading;
    out = writing;
    if (in < 0 || out < 0)
        must(errno);
}

/* ---- channels */

static void own_pipe(void)
{
    int fds[2];
    expect(pipe(fds) == 0);
    use(fds[0], fds[1]);
}

static void own_pipe2(void)
{
    int fds[2];
    expect(pipe2(fds, O_CLOEXEC) == 0);
    use(fds[0], fds[1]);
}

static void strange_pipe(void)
{
    int fds[2];
    expect(kernel_call(SYS_pipe2, (long)fds, 0, 0, 0, 0, 0) == 0);
    use(fds[0], fds[1]);
}

static void full_pipe(void)
{
    own_pipe();
    expect(fcntl(out, F_SETPIPE_SZ, 4096) == 4096);
    expect(write(out, room, 4096) == 4096);
}

static void own_pair(void)
{
    int fds[2];
    expect(socketpair(AF_UNIX, SOCK_DGRAM, 0, fds) == 0);
    use(fds[0], fds[1]);
}

static void own_stream_pair(void)
{
    int fds[2];
    expect(socketpair(AF_UNIX, SOCK_STREAM, 0, fds) == 0);
    use(fds[0], fds[1]);
}

static void own_pair_with_timeout(void)
{
    struct timeval time = {60, 0};
    own_pair();
    expect(setsockopt(in, SOL_SOCKET, SO_RCVTIMEO, &time, sizeof time) == 0);
}

static void own_eventfd(void)
{
    int fd = eventfd(0, 0);
    use(fd, dup(fd));
}

static void timer(void)
{
    struct itimerspec soon = {{0, 0}, probe_soon()};
    int fd = timerfd_create(CLOCK_MONOTONIC, 0);
    expect(timerfd_settime(fd, 0, &soon, NULL) == 0);
    use(fd, dup(fd));
}

/* ---- connections */

union name {
    struct sockaddr any;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
    struct sockaddr_un local;
};

static union name server;
static socklen_t server_size;

/* A socket on which the one that waits will listen or receive; its address goes to `server`. */
static int named(int family, int type)
{
    int fd = socket(family, type, 0);
    memset(&server, 0, sizeof server);
    server.any.sa_family = (sa_family_t)family;
    server_size = family == AF_INET ? sizeof server.v4 : sizeof server.v6;
    if (family == AF_INET)
        server.v4.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    else if (family == AF_INET6)
        server.v6.sin6_addr = in6addr_any; /* and of version 4 */
    else
        server_size = sizeof(sa_family_t);
    expect(bind(fd, &server.any, server_size) == 0);
    server_size = sizeof server;
    expect(getsockname(fd, &server.any, &server_size) == 0);
    expect(type == SOCK_DGRAM || listen(fd, 1) == 0);
    if (family == AF_INET6) {
        in_port_t port = server.v6.sin6_port;
        server.v4 = (struct sockaddr_in){AF_INET, port, {htonl(INADDR_LOOPBACK)}, {0}};
        server_size = sizeof server.v4;
    }
    return fd;
}

static void connection(int family, int flags)
{
    int listening = named(family, SOCK_STREAM), client = socket(server.any.sa_family, SOCK_STREAM | flags, 0);
    int rc = connect(client, &server.any, server_size);
    expect(rc == 0 || (flags && errno == EINPROGRESS));
    use(accept(listening, NULL, NULL), client);
    close(listening);
}

static void tcp(void)
{
    connection(AF_INET, 0);
}

static void tcp_without_blocking(void)
{
    connection(AF_INET, SOCK_NONBLOCK);
}

static void tcp_of_both_versions(void)
{
    connection(AF_INET6, 0);
}

static void tcp_from_the_server(void)
{
    tcp();
    int server_end = in;
    in = out;
    out = server_end;
}

static void local_stream(void)
{
    connection(AF_UNIX, 0);
}

/* Only one end is ours. */
static void strange_tcp(void)
{
    int listening = named(AF_INET, SOCK_STREAM), client = socket(AF_INET, SOCK_STREAM, 0);
    expect(kernel_call(SYS_connect, client, (long)&server, server_size, 0, 0, 0) == 0);
    use(accept(listening, NULL, NULL), client);
    close(listening);
}

static void udp(void)
{
    int receiving = named(AF_INET, SOCK_DGRAM);
    use(receiving, socket(AF_INET, SOCK_DGRAM, 0));
    expect(sendto(out, &byte, 1, 0, &server.any, server_size) == 1 && recv(in, room, 1, 0) == 1);
}

static void local_datagrams(void)
{
    int receiving = named(AF_UNIX, SOCK_DGRAM);
    use(receiving, socket(AF_UNIX, SOCK_DGRAM, 0));
    struct msghdr message = {
        .msg_name = &server, .msg_namelen = server_size, .msg_iov = &part, .msg_iovlen = 1};
    expect(sendmsg(out, &message, 0) == 1 && recv(in, room, 1, 0) == 1);
}

static void strange_udp(void)
{
    use(named(AF_INET, SOCK_DGRAM), socket(AF_INET, SOCK_DGRAM, 0));
}

static void listening(int family)
{
    int fd = named(family, SOCK_STREAM);
    int first = socket(family, SOCK_STREAM, 0);
    expect(connect(first, &server.any, server_size) == 0);
    close(accept(fd, NULL, NULL));
    close(first);
    use(fd, socket(family, SOCK_STREAM, 0));
}

static void listening_tcp(void)
{
    listening(AF_INET);
}

static void listening_locally(void)
{
    listening(AF_UNIX);
}

static void let_connect(void)
{
    expect(connect(out, &server.any, server_size) == 0);
}

static void wait_accept(void)
{
    int fd = accept(in, NULL, NULL);
    expect(fd >= 0);
    close(fd);
}

static void wait_accept4(void)
{
    int fd = accept4(in, NULL, NULL, SOCK_CLOEXEC);
    expect(fd >= 0);
    close(fd);
}

/* ---- sending and receiving */

static struct mmsghdr messages[1];

static struct msghdr *message(void)
{
    messages[0] = (struct mmsghdr){.msg_hdr = {.msg_iov = &part, .msg_iovlen = 1}};
    return &messages[0].msg_hdr;
}

#define CALL(name, ...)                                                                                      \
    static void name(void)                                                                                   \
    {                                                                                                        \
        expect(__VA_ARGS__);                                                                                 \
    }

CALL(wait_read, read(in, room, sizeof room) > 0)
CALL(wait_read_chk, __read_chk(in, room, 8, sizeof room) > 0)
CALL(wait_readv, readv(in, &part, 1) == 1)
CALL(wait_recv, recv(in, room, sizeof room, 0) == 1)
CALL(wait_recv_some, recv(in, room, 1, 0) == 1)
CALL(wait_recv_chk, __recv_chk(in, room, 8, sizeof room, 0) == 1)
CALL(wait_recvfrom, recvfrom(in, room, sizeof room, 0, NULL, NULL) == 1)
CALL(wait_recvfrom_chk, __recvfrom_chk(in, room, 8, sizeof room, 0, NULL, NULL) == 1)
CALL(wait_recvmsg, recvmsg(in, message(), 0) == 1)
CALL(wait_recvmmsg, (message(), recvmmsg(in, messages, 1, 0, NULL) == 1))
CALL(wait_eventfd, eventfd_read(in, &(eventfd_t){0}) == 0)
CALL(wait_write, write(out, room, 4096) == 4096)
CALL(wait_writev, writev(out, &(struct iovec){room, 4096}, 1) == 4096)
CALL(wait_splice, splice(in, NULL, spare, NULL, 1, 0) == 1)
CALL(wait_tee, tee(in, spare, 1, 0) == 1)
CALL(let_write, write(out, &byte, 1) == 1)
CALL(let_writev, writev(out, &part, 1) == 1)
CALL(let_send, send(out, &byte, 1, 0) == 1)
CALL(let_sendto, sendto(out, &byte, 1, 0, NULL, 0) == 1)
CALL(let_sendto_server, sendto(out, &byte, 1, 0, &server.any, server_size) == 1)
CALL(let_sendmsg, sendmsg(out, message(), 0) == 1)
CALL(let_sendmmsg, (message(), sendmmsg(out, messages, 1, 0) == 1))
CALL(let_vmsplice, vmsplice(out, &part, 1, 0) == 1)
CALL(let_sendfile, sendfile(out, spare, NULL, 1) == 1)
CALL(let_sendfile64, sendfile64(out, spare, NULL, 1) == 1)
CALL(let_shutdown, shutdown(out, SHUT_WR) == 0)
CALL(let_eventfd, eventfd_write(out, 1) == 0)
CALL(let_read, read(in, room, 4096) == 4096)
CALL(let_stranger_send, kernel_call(SYS_sendto, out, (long)&byte, 1, 0, (long)&server, server_size) == 1)
CALL(let_strangers_write, kernel_call(SYS_write, out, (long)&byte, 1, 0, 0, 0) == 1)

/* ---- the end of a channel: its reader finds nothing more */

CALL(wait_for_end, read(in, room, sizeof room) == 0)

static void let_close(void)
{
    int fd = out;
    out = -1;
    expect(close(fd) == 0);
}

static void let_close_range(void)
{
    unsigned fd = (unsigned)out;
    out = -1;
    expect(close_range(fd, fd, 0) == 0);
}

/* All from there on: nothing else is open so far up, but for what is not ours to close. */
static void let_closefrom(void)
{
    out = -1;
    closefrom(400);
}

static void high_pipe(void)
{
    own_pipe();
    expect(dup2(out, 400) == 400);
    close(out);
    out = 400;
}

static void let_dup2(void)
{
    expect(dup2(in, out) == out);
}

static void let_dup3(void)
{
    expect(dup3(in, out, O_CLOEXEC) == out);
}

static void pipe_and_another(void)
{
    int fds[2];
    own_pipe();
    expect(pipe(fds) == 0); /* its reading end stays open */
    spare = fds[1];
}

static void pair_and_file(void)
{
    own_pair();
    spare = open("/proc/self/exe", O_RDONLY);
}

/* ---- waiting until something is ready */

static void prepare_epoll(void)
{
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = &event};
    spare = epoll_create1(0);
    expect(epoll_ctl(spare, EPOLL_CTL_ADD, in, &event) == 0);
}

static void epoll_pipe(void)
{
    own_pipe();
    prepare_epoll();
}

static void epoll_eventfd(void)
{
    own_eventfd();
    prepare_epoll();
}

static void epoll_strange_pipe(void)
{
    strange_pipe();
    prepare_epoll();
}

static struct pollfd polled[2];

static struct pollfd *poll_set(void)
{
    polled[0] = (struct pollfd){.fd = -1};
    polled[1] = (struct pollfd){.fd = in, .events = POLLIN};
    return polled;
}

static fd_set *set(void)
{
    static fd_set in_set;
    FD_ZERO(&in_set);
    FD_SET(in, &in_set);
    return &in_set;
}

static struct epoll_event events[4];

CALL(wait_poll, poll(poll_set(), 2, 60000) == 1)
CALL(wait_poll_chk, __poll_chk(poll_set(), 2, -1, sizeof polled) == 1)
CALL(wait_ppoll, ppoll(poll_set(), 2, &minute, NULL) == 1)
CALL(wait_ppoll_chk, __ppoll_chk(poll_set(), 2, NULL, NULL, sizeof polled) == 1)
CALL(wait_select, select(in + 1, set(), NULL, NULL, &(struct timeval){60, 0}) == 1)
CALL(wait_pselect, pselect(in + 1, set(), NULL, NULL, &minute, NULL) == 1)
CALL(wait_epoll, epoll_wait(spare, events, 4, 60000) == 1)
CALL(wait_epoll_pwait, epoll_pwait(spare, events, 4, -1, NULL) == 1)
CALL(wait_epoll_pwait2, epoll_pwait2(spare, events, 4, &minute, NULL) == 1)

static struct timespec soon;

static struct timespec *in_a_moment(void)
{
    soon = probe_soon();
    return &soon;
}

static struct timeval *in_a_moment_us(void)
{
    static struct timeval time;
    time = (struct timeval){probe_soon().tv_sec, probe_soon().tv_nsec / 1000};
    return &time;
}

CALL(wait_poll_too_long, poll(poll_set(), 2, probe_soon_ms) == 0)
CALL(wait_ppoll_too_long, ppoll(poll_set(), 2, in_a_moment(), NULL) == 0)
CALL(wait_select_too_long, select(in + 1, set(), NULL, NULL, in_a_moment_us()) == 0)
CALL(wait_pselect_too_long, pselect(in + 1, set(), NULL, NULL, in_a_moment(), NULL) == 0)
CALL(wait_epoll_too_long, epoll_wait(spare, events, 4, probe_soon_ms) == 0)
CALL(wait_epoll_pwait_too_long, epoll_pwait(spare, events, 4, probe_soon_ms, NULL) == 0)
CALL(wait_epoll_pwait2_too_long, epoll_pwait2(spare, events, 4, in_a_moment(), NULL) == 0)

/* Not in every container. */
static bool binds(const union name *name, socklen_t size)
{
    int fd = socket(name->any.sa_family, SOCK_STREAM, 0);
    bool bound = fd >= 0 && bind(fd, &name->any, size) == 0;
    union name peer;
    socklen_t peer_size = sizeof peer;
    if (bound && listen(fd, 1) == 0 && getsockname(fd, &peer.any, &peer_size) == 0) {
        int client = socket(AF_INET, SOCK_STREAM, 0);
        peer.v4 = (struct sockaddr_in){AF_INET, peer.v4.sin_port, {htonl(INADDR_LOOPBACK)}, {0}};
        bound = connect(client, &peer.any, sizeof peer.v4) == 0;
        close(client);
    }
    if (fd >= 0)
        close(fd);
    return bound;
}

static bool has_tcp(void)
{
    union name name = {.v4 = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}}};
    return binds(&name, sizeof name.v4);
}

static bool has_tcp6(void)
{
    union name name = {.v6 = {.sin6_family = AF_INET6}};
    return binds(&name, sizeof name.v6);
}

/* Since Linux 5.11. */
static bool has_epoll_pwait2(void)
{
    return epoll_pwait2(-1, events, 1, in_a_moment(), NULL) == -1 && errno != ENOSYS;
}

int main(void)
{
    static const struct probe_case cases[] = {
        {"read, write: pipe", PEER, own_pipe, wait_read, let_write},
        {"readv, writev: pipe2", PEER, own_pipe2, wait_readv, let_writev},
        {"__read_chk, vmsplice", PEER, own_pipe, wait_read_chk, let_vmsplice},
        {"splice", PEER, pipe_and_another, wait_splice, let_write},
        {"tee", PEER, pipe_and_another, wait_tee, let_write},
        {"write to a full pipe", PEER, full_pipe, wait_write, let_read},
        {"writev to a full pipe", PEER, full_pipe, wait_writev, let_read},
        {"read: a stranger's pipe", OUTSIDE, strange_pipe, wait_read, let_strangers_write},
        {"read, write: eventfd", PEER, own_eventfd, wait_eventfd, let_eventfd},
        {"read: timerfd", OUTSIDE, timer, wait_read, NULL},
        {"recv, send: socketpair", PEER, own_pair, wait_recv, let_send},
        {"recv with SO_RCVTIMEO", PEER, own_pair_with_timeout, wait_recv, let_send},
        {"__recv_chk, sendto", PEER, own_pair, wait_recv_chk, let_sendto},
        {"recvfrom, sendmsg", PEER, own_pair, wait_recvfrom, let_sendmsg},
        {"__recvfrom_chk, sendfile", PEER, pair_and_file, wait_recvfrom_chk, let_sendfile},
        {"recvmsg, sendmmsg", PEER, own_pair, wait_recvmsg, let_sendmmsg},
        {"recvmmsg", PEER, own_pair, wait_recvmmsg, let_write},
        {"recv, sendfile64", PEER, pair_and_file, wait_recv_some, let_sendfile64},
        {"read, shutdown", PEER, own_stream_pair, wait_for_end, let_shutdown},
        {"read, close", PEER, own_pipe, wait_for_end, let_close},
        {"read, close_range", PEER, own_pipe, wait_for_end, let_close_range},
        {"read, closefrom", PEER, high_pipe, wait_for_end, let_closefrom},
        {"read, dup2", PEER, own_pipe, wait_for_end, let_dup2},
        {"read, dup3", PEER, own_pipe, wait_for_end, let_dup3},
        {"TCP", PEER, tcp, wait_read, let_write, has_tcp},
        {"TCP, nonblocking connect", PEER, tcp_without_blocking, wait_read, let_write, has_tcp},
        {"TCP, version 4 to 6", PEER, tcp_of_both_versions, wait_recv, let_send, has_tcp6},
        {"TCP, server to client", PEER, tcp_from_the_server, wait_recv, let_send, has_tcp},
        {"TCP, a stranger's", OUTSIDE, strange_tcp, wait_read, let_strangers_write, has_tcp},
        {"TCP, poll", PEER, tcp, wait_poll, let_write, has_tcp},
        {"accept, connect", PEER, listening_tcp, wait_accept, let_connect, has_tcp},
        {"poll, connect", PEER, listening_tcp, wait_poll, let_connect, has_tcp},
        {"UNIX stream", PEER, local_stream, wait_recv, let_send},
        {"UNIX accept4, connect", PEER, listening_locally, wait_accept4, let_connect},
        {"UDP", PEER, udp, wait_recv, let_sendto_server, has_tcp},
        {"UDP, a stranger's", OUTSIDE, strange_udp, wait_recv, let_stranger_send, has_tcp},
        {"UNIX datagrams", PEER, local_datagrams, wait_recv, let_sendto_server},
        {"poll", PEER, own_pipe, wait_poll, let_write},
        {"__poll_chk", PEER, own_pipe, wait_poll_chk, let_write},
        {"ppoll", PEER, own_pipe, wait_ppoll, let_write},
        {"__ppoll_chk", PEER, own_eventfd, wait_ppoll_chk, let_eventfd},
        {"select", PEER, own_pipe, wait_select, let_write},
        {"pselect", PEER, own_pair, wait_pselect, let_send},
        {"epoll_wait", PEER, epoll_pipe, wait_epoll, let_write},
        {"epoll_pwait", PEER, epoll_eventfd, wait_epoll_pwait, let_eventfd},
        {"epoll_pwait2", PEER, epoll_pipe, wait_epoll_pwait2, let_write, has_epoll_pwait2},
        {"poll: a stranger's pipe", OUTSIDE, strange_pipe, wait_poll, let_strangers_write},
        {"select: a stranger's pipe", OUTSIDE, strange_pipe, wait_select, let_strangers_write},
        {"epoll_wait: a stranger's pipe", OUTSIDE, epoll_strange_pipe, wait_epoll, let_strangers_write},
        {"poll: time is up", OUTSIDE, own_pipe, wait_poll_too_long, NULL},
        {"ppoll: time is up", OUTSIDE, own_pipe, wait_ppoll_too_long, NULL},
        {"select: time is up", OUTSIDE, own_pipe, wait_select_too_long, NULL},
        {"pselect: time is up", OUTSIDE, own_pipe, wait_pselect_too_long, NULL},
        {"epoll_wait: time is up", OUTSIDE, epoll_pipe, wait_epoll_too_long, NULL},
        {"epoll_pwait: time is up", OUTSIDE, epoll_pipe, wait_epoll_pwait_too_long, NULL},
        {"epoll_pwait2: time is up", OUTSIDE, epoll_pipe, wait_epoll_pwait2_too_long, NULL, has_epoll_pwait2},
    };
    probe_attach();
    signal(SIGPIPE, SIG_IGN);
    return PROBE_RUN(cases);
}
