#include "runtime/calls/rest.h"

#include "base/clock.h"
#include "runtime/core/kernel.h"
#include "runtime/real/list.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <termios.h>

enum { MOST = 0x7ffff000 }; /* bytes that the kernel moves in one call */

/* ---- who would natively not have stopped */

static bool is_endless(dev_t device)
{
    enum { MEMORY = 1, ZERO = 5, FULL = 7, RANDOM = 8, URANDOM = 9 };
    unsigned number = minor(device);
    return major(device) == MEMORY &&
           (number == ZERO || number == FULL || number == RANDOM || number == URANDOM);
}

static bool is_terminal(int fd)
{
    struct termios settings;
    return kernel_call(SYS_ioctl, fd, TCGETS, (long)&settings, 0, 0, 0) == 0;
}

/* Packets (O_DIRECT) are not glued together. */
static bool descriptor_waits(int fd)
{
    long flags = kernel_call(SYS_fcntl, fd, F_GETFL, 0, 0, 0, 0);
    return flags >= 0 && !(flags & (O_NONBLOCK | O_DIRECT));
}

static bool is_stream(int fd)
{
    int type = 0;
    socklen_t size = sizeof type;
    return kernel_call(SYS_getsockopt, fd, SOL_SOCKET, SO_TYPE, (long)&type, (long)&size, 0) == 0 &&
           type == SOCK_STREAM;
}

/* The kernel's own timeout would begin anew with the rest. */
static bool has_time(int fd, int option, uint64_t began_ns)
{
    struct timeval timeout = {0, 0};
    socklen_t size = sizeof timeout;
    if (kernel_call(SYS_getsockopt, fd, SOL_SOCKET, option, (long)&timeout, (long)&size, 0))
        return false;
    uint64_t us = (uint64_t)timeout.tv_sec * 1000000u + (uint64_t)timeout.tv_usec;
    return us == 0 || (clock_wall_ns() - began_ns) / 1000 < us;
}

static bool socket_goes_on(int fd, enum rest_way way, int flags, uint64_t began_ns)
{
    const int others = MSG_DONTWAIT | MSG_OOB | MSG_ERRQUEUE | MSG_PEEK;
    if (flags & others || !descriptor_waits(fd) || !is_stream(fd))
        return false;
    if (way == REST_RECEIVE)
        return flags & MSG_WAITALL && has_time(fd, SO_RCVTIMEO, began_ns);
    return has_time(fd, SO_SNDTIMEO, began_ns);
}

/* A write() to a socket becomes a send(). */
static bool goes_on(enum rest_way *way, int fd, int flags, uint64_t began_ns)
{
    struct stat status;
    if (*way == REST_RANDOM)
        return true;
    if (kernel_call(SYS_fstat, fd, (long)&status, 0, 0, 0, 0))
        return false;
    switch (status.st_mode & S_IFMT) {
    case S_IFCHR:
        return is_endless(status.st_rdev) || (*way == REST_WRITE && descriptor_waits(fd) && is_terminal(fd));
    case S_IFIFO:
        return *way == REST_WRITE && descriptor_waits(fd);
    case S_IFSOCK:
        if (*way == REST_READ)
            return false;
        if (*way == REST_WRITE)
            *way = REST_SEND;
        return socket_goes_on(fd, *way, flags, began_ns);
    default:
        return false;
    }
}

/* ---- the rest */

/* Natively, SIGPIPE is sent only to a call that has sent nothing yet. This one has: so the rest of it raises
 * none. */
static ssize_t move_parts(enum rest_way way, int fd, const struct iovec *parts, size_t count, int flags)
{
    struct msghdr message = {.msg_iov = (struct iovec *)(uintptr_t)parts, .msg_iovlen = count};
    switch (way) {
    case REST_READ:
        return REAL(readv)(fd, parts, (int)count);
    case REST_WRITE:
        return REAL(writev)(fd, parts, (int)count);
    case REST_SEND:
        return REAL(sendmsg)(fd, &message, flags | MSG_NOSIGNAL);
    case REST_RECEIVE:
        return REAL(recvmsg)(fd, &message, flags);
    default:
        return REAL(getrandom)(parts->iov_base, parts->iov_len, (unsigned)flags);
    }
}

/* The part that the call stopped in is moved by itself, the parts after it as they are: there may be a
 * thousand, and the stack may be small. */
ssize_t rest_of_parts(enum rest_way way, int fd, const struct iovec *parts, size_t count, int flags,
                      uint64_t began_ns, struct rest_mark *mark, ssize_t done)
{
    size_t at = (size_t)done, index = 0;
    int before = errno;
    while (done < MOST && mark->handlers == thread_current.nesting.handlers) {
        while (index < count && at >= parts[index].iov_len)
            at -= parts[index++].iov_len;
        if (index == count || !goes_on(&way, fd, flags, began_ns))
            break;
        struct iovec part = {(char *)parts[index].iov_base + at, parts[index].iov_len - at};
        mark->cuts = thread_current.nesting.cuts;
        bool is_one = at > 0;
        ssize_t rc = is_one ? move_parts(way, fd, &part, 1, flags)
                            : move_parts(way, fd, parts + index, count - index, flags);
        if (rc <= 0)
            break;
        at += (size_t)rc;
        done += rc;
        bool is_whole = is_one && at == parts[index].iov_len;
        if (!is_whole && mark->cuts == thread_current.nesting.cuts)
            break;
    }
    errno = before;
    return done;
}

ssize_t rest_of(enum rest_way way, int fd, const void *bytes, size_t size, int flags, uint64_t began_ns,
                struct rest_mark *mark, ssize_t done)
{
    struct iovec part = {(void *)(uintptr_t)bytes, size < MOST ? size : MOST};
    return rest_of_parts(way, fd, &part, 1, flags, began_ns, mark, done);
}

/* A pipe natively gets what it holds. */
ssize_t rest_of_file(int out, int in, off64_t *offset, size_t size, struct rest_mark *mark, ssize_t done)
{
    struct stat status;
    int before = errno;
    size = size < MOST ? size : MOST;
    if (kernel_call(SYS_fstat, out, (long)&status, 0, 0, 0, 0) || S_ISFIFO(status.st_mode) ||
        !descriptor_waits(out))
        return done;
    while (rest_is_left(mark, done, size)) {
        mark->cuts = thread_current.nesting.cuts;
        ssize_t rc = REAL(sendfile64)(out, in, offset, size - (size_t)done);
        if (rc <= 0)
            break;
        done += rc;
    }
    errno = before;
    return done;
}

ssize_t rest_of_copy(int in, off64_t *in_offset, int out, off64_t *out_offset, size_t size, unsigned flags,
                     struct rest_mark *mark, ssize_t done)
{
    int before = errno;
    size = size < MOST ? size : MOST;
    while (rest_is_left(mark, done, size)) {
        mark->cuts = thread_current.nesting.cuts;
        ssize_t rc = REAL(copy_file_range)(in, in_offset, out, out_offset, size - (size_t)done, flags);
        if (rc <= 0)
            break;
        done += rc;
    }
    errno = before;
    return done;
}
