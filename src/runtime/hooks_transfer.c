/* Reading and writing descriptors of any kind. */
#include "runtime/transfer.h"

#include <fcntl.h> /* splice */
#include <sys/sendfile.h>

/* What programs call that are built with _FORTIFY_SOURCE; not in any header. */
EXPORT ssize_t __read_chk(int fd, void *bytes, size_t size, size_t room);

EXPORT ssize_t read(int fd, void *bytes, size_t size)
{
    ssize_t rc;
    TRANSFER(rc, REAL(read)(fd, bytes, size), fd, -1);
    return rc;
}

ssize_t __read_chk(int fd, void *bytes, size_t size, size_t room)
{
    ssize_t rc;
    TRANSFER(rc, REAL(__read_chk)(fd, bytes, size, room), fd, -1);
    return rc;
}

EXPORT ssize_t readv(int fd, const struct iovec *parts, int count)
{
    ssize_t rc;
    TRANSFER(rc, REAL(readv)(fd, parts, count), fd, -1);
    return rc;
}

EXPORT ssize_t write(int fd, const void *bytes, size_t size)
{
    ssize_t rc;
    TRANSFER(rc, REAL(write)(fd, bytes, size), fd, -1);
    return rc;
}

EXPORT ssize_t writev(int fd, const struct iovec *parts, int count)
{
    ssize_t rc;
    TRANSFER(rc, REAL(writev)(fd, parts, count), fd, -1);
    return rc;
}

EXPORT ssize_t splice(int in, off64_t *in_offset, int out, off64_t *out_offset, size_t size, unsigned flags)
{
    ssize_t rc;
    TRANSFER(rc, REAL(splice)(in, in_offset, out, out_offset, size, flags), in, out);
    return rc;
}

EXPORT ssize_t tee(int in, int out, size_t size, unsigned flags)
{
    ssize_t rc;
    TRANSFER(rc, REAL(tee)(in, out, size, flags), in, out);
    return rc;
}

EXPORT ssize_t vmsplice(int fd, const struct iovec *parts, size_t count, unsigned flags)
{
    ssize_t rc;
    TRANSFER(rc, REAL(vmsplice)(fd, parts, count, flags), fd, -1);
    return rc;
}

EXPORT ssize_t sendfile(int out, int in, off_t *offset, size_t size)
{
    ssize_t rc;
    TRANSFER(rc, REAL(sendfile)(out, in, offset, size), out, in);
    return rc;
}

EXPORT ssize_t sendfile64(int out, int in, off64_t *offset, size_t size)
{
    ssize_t rc;
    TRANSFER(rc, REAL(sendfile64)(out, in, offset, size), out, in);
    return rc;
}

EXPORT int eventfd_read(int fd, eventfd_t *value)
{
    int rc;
    TRANSFER(rc, REAL(eventfd_read)(fd, value), fd, -1);
    return rc;
}

EXPORT int eventfd_write(int fd, eventfd_t value)
{
    int rc;
    TRANSFER(rc, REAL(eventfd_write)(fd, value), fd, -1);
    return rc;
}
