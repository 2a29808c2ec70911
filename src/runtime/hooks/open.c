/* Opening: a FIFO waits until somebody opens its other end, who is taken for a peer, and lets go on who
 * waited there. */
#include "runtime/calls/call_point.h"
#include "runtime/calls/interrupted.h"
#include "runtime/calls/peers.h"
#include "runtime/core/kernel.h"
#include "runtime/real/list.h"

#include <errno.h>
#include <sys/stat.h>
#include <sys/syscall.h>

/* Not <fcntl.h>'s declarations: see hook_syscall(). The mode is whatever is there when the caller gave none.
 */
EXPORT int hook_open(const char *path, int flags, unsigned mode) __asm__("open");
EXPORT int hook_open64(const char *path, int flags, unsigned mode) __asm__("open64");
EXPORT int hook_openat(int folder, const char *path, int flags, unsigned mode) __asm__("openat");
EXPORT int hook_openat64(int folder, const char *path, int flags, unsigned mode) __asm__("openat64");

static bool is_fifo(int fd)
{
    struct stat status;
    return kernel_call(SYS_fstat, fd, (long)&status, 0, 0, 0, 0) == 0 && S_ISFIFO(status.st_mode);
}

HOOK_INLINE int end_open(uint64_t began_ns, int fd, enum segment_call name)
{
    bool by_peer = unlikely(!sync_is_level()) && fd >= 0 && peers_have_waited(began_ns) && is_fifo(fd);
    sync_wait_end(NULL, by_peer ? WOKEN_BY_PEER : WOKEN_BY_OUTSIDE);
    call_ended(name, fd >= 0);
    return fd;
}

/* The kernel ends the wait for a FIFO's other end after our signal, and begins it anew. */
#define OPEN(name, call)                                                                                     \
    if (!thread_current.on)                                                                                  \
        return call;                                                                                         \
    uint64_t began_ns = sync_wait_begin(NULL, WAIT_POLL).began_ns;                                           \
    return end_open(began_ns, call, name)

int hook_open(const char *path, int flags, unsigned mode)
{
    OPEN(CALL_open, REAL(open)(path, flags, mode));
}

int hook_open64(const char *path, int flags, unsigned mode)
{
    OPEN(CALL_open, REAL(open64)(path, flags, mode));
}

int hook_openat(int folder, const char *path, int flags, unsigned mode)
{
    OPEN(CALL_openat, REAL(openat)(folder, path, flags, mode));
}

int hook_openat64(int folder, const char *path, int flags, unsigned mode)
{
    OPEN(CALL_openat, REAL(openat64)(folder, path, flags, mode));
}
