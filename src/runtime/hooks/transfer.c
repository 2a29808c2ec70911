/* Reading and writing descriptors of any kind. */
#include "runtime/calls/transfer.h"
#include "runtime/calls/call_point.h"
#include "runtime/core/declarations.h"

#include <fcntl.h>      /* splice */
#include <sys/random.h> /* getrandom */
#include <sys/sendfile.h>

/* What programs call that are built with _FORTIFY_SOURCE; not in any header. */
EXPORT ssize_t __read_chk(int fd, void *bytes, size_t size, size_t room);

EXPORT ssize_t read(int fd, void *bytes, size_t size)
{
    ssize_t rc;
    TRANSFER_BYTES(rc, REAL(read)(fd, bytes, size), REST_READ, fd, bytes, size, 0);
    call_ended(CALL_read, rc > 0);
    return rc;
}

ssize_t __read_chk(int fd, void *bytes, size_t size, size_t room)
{
    ssize_t rc;
    TRANSFER_BYTES(rc, REAL(__read_chk)(fd, bytes, size, room), REST_READ, fd, bytes, size, 0);
    call_ended(CALL_read, rc > 0);
    return rc;
}

static ssize_t read_rest(int fd, void *bytes, size_t size, struct rest_mark *mark, ssize_t rc)
{
    return rest_is_left(mark, rc, size) ? rest_of(REST_READ, fd, bytes, size, 0, 0, mark, rc) : rc;
}

/* Nobody waits for what has offsets; but devices have them, too. */
EXPORT ssize_t pread(int fd, void *bytes, size_t size, off_t offset)
{
    struct rest_mark mark = rest_mark();
    ssize_t rc = read_rest(fd, bytes, size, &mark, REAL(pread)(fd, bytes, size, offset));
    call_ended(CALL_pread, rc > 0);
    return rc;
}

#if HAS_64_BIT_NAMES
EXPORT ssize_t pread64(int fd, void *bytes, size_t size, off64_t offset)
{
    struct rest_mark mark = rest_mark();
    ssize_t rc = read_rest(fd, bytes, size, &mark, REAL(pread64)(fd, bytes, size, offset));
    call_ended(CALL_pread, rc > 0);
    return rc;
}
#endif

EXPORT ssize_t getrandom(void *bytes, size_t size, unsigned flags)
{
    struct rest_mark mark = rest_mark();
    ssize_t rc = REAL(getrandom)(bytes, size, flags);
    return rest_is_left(&mark, rc, size) ? rest_of(REST_RANDOM, -1, bytes, size, (int)flags, 0, &mark, rc)
                                         : rc;
}

EXPORT ssize_t readv(int fd, const struct iovec *parts, int count)
{
    ssize_t rc;
    TRANSFER_PARTS(rc, REAL(readv)(fd, parts, count), REST_READ, fd, parts, count, 0);
    call_ended(CALL_readv, rc > 0);
    return rc;
}

EXPORT ssize_t write(int fd, const void *bytes, size_t size)
{
    ssize_t rc;
    TRANSFER_BYTES(rc, REAL(write)(fd, bytes, size), REST_WRITE, fd, bytes, size, 0);
    call_ended(CALL_write, rc >= 0);
    return rc;
}

EXPORT ssize_t writev(int fd, const struct iovec *parts, int count)
{
    ssize_t rc;
    TRANSFER_PARTS(rc, REAL(writev)(fd, parts, count), REST_WRITE, fd, parts, count, 0);
    call_ended(CALL_writev, rc >= 0);
    return rc;
}

EXPORT ssize_t splice(int in, off64_t *in_offset, int out, off64_t *out_offset, size_t size, unsigned flags)
{
    ssize_t rc;
    TRANSFER(rc, REAL(splice)(in, in_offset, out, out_offset, size, flags), WAIT_READ, in, out);
    call_ended(CALL_splice, rc > 0);
    return rc;
}

EXPORT ssize_t tee(int in, int out, size_t size, unsigned flags)
{
    ssize_t rc;
    TRANSFER(rc, REAL(tee)(in, out, size, flags), WAIT_READ, in, out);
    return rc;
}

EXPORT ssize_t vmsplice(int fd, const struct iovec *parts, size_t count, unsigned flags)
{
    ssize_t rc;
    TRANSFER(rc, REAL(vmsplice)(fd, parts, count, flags), WAIT_WRITE, fd, -1);
    return rc;
}

EXPORT ssize_t sendfile(int out, int in, off_t *offset, size_t size)
{
    ssize_t rc;
    TRANSFER_ALL(rc, REAL(sendfile)(out, in, offset, size), WAIT_WRITE, size,
                 rest_of_file(out, in, offset, size, &transfer.mark, rc), out, in);
    call_ended(CALL_sendfile, rc > 0);
    return rc;
}

#if HAS_64_BIT_NAMES
EXPORT ssize_t sendfile64(int out, int in, off64_t *offset, size_t size)
{
    ssize_t rc;
    TRANSFER_ALL(rc, REAL(sendfile64)(out, in, offset, size), WAIT_WRITE, size,
                 rest_of_file(out, in, offset, size, &transfer.mark, rc), out, in);
    call_ended(CALL_sendfile, rc > 0);
    return rc;
}
#endif

/* From file to file, where nobody waits. */
EXPORT ssize_t copy_file_range(int in, off64_t *in_offset, int out, off64_t *out_offset, size_t size,
                               unsigned flags)
{
    struct rest_mark mark = rest_mark();
    ssize_t rc = REAL(copy_file_range)(in, in_offset, out, out_offset, size, flags);
    return rest_is_left(&mark, rc, size)
               ? rest_of_copy(in, in_offset, out, out_offset, size, flags, &mark, rc)
               : rc;
}

EXPORT int eventfd_read(int fd, eventfd_t *value)
{
    int rc;
    TRANSFER(rc, REAL(eventfd_read)(fd, value), WAIT_READ, fd, -1);
    call_ended(CALL_eventfd_read, rc == 0);
    return rc;
}

EXPORT int eventfd_write(int fd, eventfd_t value)
{
    int rc;
    TRANSFER(rc, REAL(eventfd_write)(fd, value), WAIT_WRITE, fd, -1);
    call_ended(CALL_eventfd_write, rc == 0);
    return rc;
}
