/* Message queues, System V's messages and semaphores, and locks on files: behind all of them stands a peer.
 * System V's calls end with EINTR after any signal. */
#include "runtime/calls/call_point.h"
#include "runtime/calls/interrupted.h"
#include "runtime/calls/peers.h"
#include "runtime/core/declarations.h"
#include "runtime/real/list.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>

/* Makes the call, as often as our samples end it, and leaves its result in rc. */
#define PEER_CALL(rc, call, class)                                                                           \
    struct interrupted wait = interrupted_begin(sync_wait_begin(NULL, class), UINT64_MAX);                   \
    do                                                                                                       \
        rc = (call);                                                                                         \
    while (rc < 0 && interrupted_goes_on(&wait, errno == EINTR));                                            \
    sync_wait_end(NULL, rc < 0 ? WOKEN_BY_OUTSIDE : WOKEN_BY_PEER)

EXPORT int mq_send(mqd_t queue, const char *text, size_t size, unsigned priority)
{
    int rc;
    PEER_CALL(rc, REAL(mq_send)(queue, text, size, priority), WAIT_WRITE);
    call_ended(CALL_mq_send, rc == 0);
    return rc;
}

EXPORT int mq_timedsend(mqd_t queue, const char *text, size_t size, unsigned priority,
                        const struct timespec *until)
{
    int rc;
    PEER_CALL(rc, REAL(mq_timedsend)(queue, text, size, priority, until), WAIT_WRITE);
    call_ended(CALL_mq_timedsend, rc == 0);
    return rc;
}

EXPORT ssize_t mq_receive(mqd_t queue, char *text, size_t size, unsigned *priority)
{
    ssize_t rc;
    PEER_CALL(rc, REAL(mq_receive)(queue, text, size, priority), WAIT_READ);
    call_ended(CALL_mq_receive, rc >= 0);
    return rc;
}

EXPORT ssize_t mq_timedreceive(mqd_t queue, char *restrict text, size_t size, unsigned *restrict priority,
                               const struct timespec *restrict until)
{
    ssize_t rc;
    PEER_CALL(rc, REAL(mq_timedreceive)(queue, text, size, priority, until), WAIT_READ);
    call_ended(CALL_mq_timedreceive, rc >= 0);
    return rc;
}

EXPORT int msgsnd(int queue, const void *message, size_t size, int flags)
{
    int rc;
    PEER_CALL(rc, REAL(msgsnd)(queue, message, size, flags), WAIT_WRITE);
    call_ended(CALL_msgsnd, rc == 0);
    return rc;
}

EXPORT ssize_t msgrcv(int queue, void *message, size_t size, long type, int flags)
{
    ssize_t rc;
    PEER_CALL(rc, REAL(msgrcv)(queue, message, size, type, flags), WAIT_READ);
    call_ended(CALL_msgrcv, rc >= 0);
    return rc;
}

EXPORT int semop(int set, struct sembuf *operations, size_t count)
{
    int rc;
    PEER_CALL(rc, REAL(semop)(set, operations, count), WAIT_CONDITION);
    call_ended(CALL_semop, rc == 0);
    return rc;
}

EXPORT int semtimedop(int set, struct sembuf *operations, size_t count, const struct timespec *timeout)
{
    struct timespec rest;
    int rc;
    struct interrupted wait = interrupted_begin(sync_wait_begin(NULL, WAIT_CONDITION), UINT64_MAX);
    while ((rc = REAL(semtimedop)(set, operations, count, timeout)) < 0 &&
           interrupted_goes_on(&wait, errno == EINTR))
        timeout = interrupted_rest(&wait, timeout, &rest);
    sync_wait_end(NULL, rc < 0 ? WOKEN_BY_OUTSIDE : WOKEN_BY_PEER);
    call_ended(CALL_semtimedop, rc == 0);
    return rc;
}

/* A lock of a file was waited for. What is free is got from nobody; but the credit is never longer than the
 * call. */
HOOK_INLINE int end_lock(int rc)
{
    sync_wait_end(NULL, rc ? WOKEN_BY_OUTSIDE : WOKEN_BY_PEER);
    return rc;
}

/* The kernel restarts these two. */
EXPORT int flock(int fd, int operation)
{
    sync_wait_begin(NULL, WAIT_LOCK);
    int rc = REAL(flock)(fd, operation);
    rc = end_lock(rc);
    call_ended(CALL_flock, rc == 0);
    return rc;
}

EXPORT int lockf(int fd, int operation, off_t size)
{
    sync_wait_begin(NULL, WAIT_LOCK);
    int rc = REAL(lockf)(fd, operation, size);
    return end_lock(rc);
}

#if HAS_64_BIT_NAMES
/* What programs call that are built with 64-bit offsets: the same, here. */
EXPORT int lockf64(int fd, int operation, off64_t size)
{
    return lockf(fd, operation, size);
}
#endif

/* Not <fcntl.h>'s declarations: see hook_syscall(). */
EXPORT int hook_fcntl(int fd, int command, long argument) __asm__("fcntl");
EXPORT int hook_fcntl64(int fd, int command, long argument) __asm__("fcntl64");

HOOK_INLINE int lock_range(int fd, int command, long argument)
{
    sync_wait_begin(NULL, WAIT_LOCK);
    int rc = REAL(fcntl)(fd, command, argument);
    return end_lock(rc);
}

/* The kernel restarts the calls that wait. The one that does not may give a lock back. */
HOOK_INLINE int control_descriptor(int fd, int command, long argument)
{
    if (command == F_SETLKW || command == F_OFD_SETLKW)
        return lock_range(fd, command, argument);
    if (command == F_SETLK || command == F_OFD_SETLK)
        sync_before_wake(NULL);
    return REAL(fcntl)(fd, command, argument);
}

int hook_fcntl(int fd, int command, long argument)
{
    return control_descriptor(fd, command, argument);
}

int hook_fcntl64(int fd, int command, long argument)
{
    return control_descriptor(fd, command, argument);
}

/* ---- a command at a pipe's other end */

EXPORT FILE *popen(const char *command, const char *mode)
{
    sync_before_wake(NULL);
    FILE *file = REAL(popen)(command, mode);
    if (file && thread_current.on)
        peers_add_channel(fileno(file));
    return file;
}

EXPORT int pclose(FILE *file)
{
    sync_wait_begin(NULL, WAIT_CHILD);
    int rc = REAL(pclose)(file);
    sync_wait_end(NULL, rc < 0 ? WOKEN_BY_OUTSIDE : WOKEN_BY_PEER);
    return rc;
}
