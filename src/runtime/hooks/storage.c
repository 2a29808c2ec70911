/* Waiting for storage: the outside. Whatever became due meanwhile is owed afterwards. */
#include "runtime/calls/call_point.h"
#include "runtime/calls/interrupted.h"
#include "runtime/core/declarations.h"
#include "runtime/real/list.h"

#include <errno.h>

HOOK_INLINE int storage_wait_end(int rc)
{
    sync_wait_end(NULL, WOKEN_BY_OUTSIDE);
    return rc;
}

EXPORT int fsync(int fd)
{
    sync_wait_begin(NULL, WAIT_SYNC);
    int rc = storage_wait_end(REAL(fsync)(fd));
    call_ended(CALL_fsync, rc == 0);
    return rc;
}

EXPORT int fdatasync(int fd)
{
    sync_wait_begin(NULL, WAIT_SYNC);
    int rc = storage_wait_end(REAL(fdatasync)(fd));
    call_ended(CALL_fdatasync, rc == 0);
    return rc;
}

EXPORT int syncfs(int fd)
{
    sync_wait_begin(NULL, WAIT_SYNC);
    return storage_wait_end(REAL(syncfs)(fd));
}

EXPORT void sync(void)
{
    sync_wait_begin(NULL, WAIT_SYNC);
    REAL(sync)();
    storage_wait_end(0);
}

EXPORT int msync(void *start, size_t size, int flags)
{
    sync_wait_begin(NULL, WAIT_SYNC);
    int rc = storage_wait_end(REAL(msync)(start, size, flags));
    call_ended(CALL_msync, rc == 0);
    return rc;
}

EXPORT int sync_file_range(int fd, off64_t start, off64_t size, unsigned flags)
{
    sync_wait_begin(NULL, WAIT_SYNC);
    return storage_wait_end(REAL(sync_file_range)(fd, start, size, flags));
}

/* Ended by any signal. */
EXPORT int aio_suspend(const struct aiocb *const list[], int count, const struct timespec *restrict timeout)
{
    struct timespec rest;
    int rc;
    struct interrupted wait = interrupted_begin(sync_wait_begin(NULL, WAIT_SYNC), UINT64_MAX);
    while ((rc = REAL(aio_suspend)(list, count, timeout)) < 0 && interrupted_goes_on(&wait, errno == EINTR))
        timeout = interrupted_rest(&wait, timeout, &rest);
    return storage_wait_end(rc);
}

#if HAS_64_BIT_NAMES
/* What programs call that are built with 64-bit offsets: the same, here. */
EXPORT int aio_suspend64(const struct aiocb64 *const list[], int count,
                         const struct timespec *restrict timeout)
{
    return aio_suspend((const struct aiocb *const *)list, count, timeout);
}
#endif
