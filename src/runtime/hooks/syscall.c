/* syscall(): what locks are made of where they are not made of pthreads (Rust's std and parking_lot,
 * std::atomic::wait, latches, semaphores by hand).
 *
 * The futex calls that the kernel ends with EINTR after any signal are FUTEX_WAIT and FUTEX_WAIT_BITSET with
 * a timeout; all others it restarts by itself. */
#include "runtime/calls/interrupted.h"
#include "runtime/calls/sync.h"
#include "runtime/core/declarations.h"
#include "runtime/hooks/seccomp.h"
#include "runtime/real/list.h"
#include "runtime/thread/fork.h"
#include "runtime/thread/give_way.h"

#include <errno.h>
#include <linux/futex.h>
#include <linux/sched.h> /* CLONE_VM, struct clone_args */
#include <linux/seccomp.h>
#include <sys/syscall.h>

/* Not <unistd.h>'s declaration: with all seven words named, a call that means nothing to us is passed on with
 * one jump. Those that the caller did not give hold whatever is there, as for libc's own. */
EXPORT long hook_syscall(long number, long a, long b, long c, long d, long e, long f) __asm__("syscall");

enum futex_meaning { FUTEX_NOTHING, FUTEX_WAITS, FUTEX_TRIES, FUTEX_WAKES };

static enum futex_meaning meaning_of(long operation)
{
    switch (operation & FUTEX_CMD_MASK) {
    case FUTEX_WAIT:
    case FUTEX_WAIT_BITSET:
    case FUTEX_WAIT_REQUEUE_PI:
    case FUTEX_LOCK_PI:
    case FUTEX_LOCK_PI2:
        return FUTEX_WAITS;
    case FUTEX_TRYLOCK_PI:
        return FUTEX_TRIES;
    case FUTEX_WAKE:
    case FUTEX_WAKE_BITSET:
    case FUTEX_WAKE_OP:
    case FUTEX_REQUEUE:
    case FUTEX_CMP_REQUEUE:
    case FUTEX_CMP_REQUEUE_PI:
    case FUTEX_UNLOCK_PI:
        return FUTEX_WAKES;
    default:
        return FUTEX_NOTHING;
    }
}

/* A word that had changed already (EAGAIN), a timeout and an error are no wake-up by a peer. */
HOOK_INLINE long futex_wait_end(const void *object, long rc)
{
    sync_wait_end(object, rc >= 0 ? WOKEN_BY_PEER : WOKEN_BY_OUTSIDE);
    return rc;
}

/* Only FUTEX_WAIT's timeout is relative. */
HOOK_INLINE long wait_on(long word, long operation, long value, long timeout, long word2, long value3)
{
    bool relative = (operation & FUTEX_CMD_MASK) == FUTEX_WAIT && timeout;
    const void *object = (const void *)word;
    struct timespec rest;
    struct interrupted wait = interrupted_begin(sync_wait_begin(object, WAIT_CONDITION), UINT64_MAX);
    long rc;
    while ((rc = REAL(syscall)(SYS_futex, word, operation, value, timeout, word2, value3)) < 0 &&
           interrupted_goes_on(&wait, errno == EINTR))
        if (relative)
            timeout = (long)interrupted_rest(&wait, (const struct timespec *)timeout, &rest);
    return futex_wait_end(object, rc);
}

HOOK_INLINE long call_futex(long word, long operation, long value, long timeout, long word2, long value3)
{
    enum futex_meaning meaning = meaning_of(operation);
    if (meaning == FUTEX_WAITS)
        return wait_on(word, operation, value, timeout, word2, value3);
    if (meaning == FUTEX_WAKES)
        sync_before_wake((const void *)word);
    else if (meaning == FUTEX_TRIES)
        sync_before_acquire((const void *)word);
    return REAL(syscall)(SYS_futex, word, operation, value, timeout, word2, value3);
}

HOOK_INLINE long wait_on_many(long waiters, long count, long flags, long timeout, long clock)
{
    sync_wait_begin((const void *)waiters, WAIT_CONDITION);
    return futex_wait_end((const void *)waiters,
                          REAL(syscall)(SYS_futex_waitv, waiters, count, flags, timeout, clock, 0));
}

/* What a ring completes, the outside does. EINTR means that nothing was submitted: then all may be repeated.
 */
HOOK_INLINE long ring_enter(long ring, long submit, long least, long flags, long argument, long size)
{
    struct interrupted wait = interrupted_begin(sync_wait_begin(NULL, WAIT_POLL), UINT64_MAX);
    long rc;
    do
        rc = REAL(syscall)(SYS_io_uring_enter, ring, submit, least, flags, argument, size);
    while (rc < 0 && interrupted_goes_on(&wait, errno == EINTR));
    sync_wait_end(NULL, WOKEN_BY_OUTSIDE);
    return rc;
}

/* A child with a copy of our memory, made by number. */
static long clone_by_number(long number, long a, long b, long c, long d, long e)
{
    sync_before_wake(NULL);
    uint64_t flags = number == SYS_clone ? (uint64_t)a : 0;
    if (number == SYS_clone3 && b >= (long)sizeof flags)
        flags = ((const struct clone_args *)a)->flags;
    bool copies = !(flags & CLONE_VM);
    if (copies)
        fork_before();
    long rc = REAL(syscall)(number, a, b, c, d, e, 0);
    if (copies)
        fork_after((pid_t)rc);
    return rc;
}

/* The first thread's slot is its process's, whose end frees it. */
static void end_by_number(void)
{
    sync_before_wake(NULL);
    if (gettid() == thread_current.tid && gettid() != getpid())
        thread_stop();
}

/* What means something, but is rare. */
static __attribute__((noinline)) long call_other(long number, long a, long b, long c, long d, long e, long f)
{
    switch (number) {
    case SYS_io_uring_enter:
        return ring_enter(a, b, c, d, e, f);
    case SYS_futex_waitv:
        return wait_on_many(a, b, c, d, e);
    case SYS_clone:
    case SYS_clone3:
#ifdef SYS_fork
    case SYS_fork:
#endif
        return clone_by_number(number, a, b, c, d, e);
    case SYS_copy_file_range: /* libuv's way */
        return copy_file_range((int)a, (off64_t *)b, (int)c, (off64_t *)d, (size_t)e, (unsigned)f);
    case SYS_close:
        return close((int)a);
    case SYS_close_range:
        return close_range((unsigned)a, (unsigned)b, (int)c);
#ifdef SYS_dup2
    case SYS_dup2:
        return dup2((int)a, (int)b);
#endif
    case SYS_dup3:
        return dup3((int)a, (int)b, (int)c);
    case SYS_seccomp:
        if (a == SECCOMP_SET_MODE_FILTER && (unsigned long)b & SECCOMP_FILTER_FLAG_TSYNC)
            seccomp_leave_process();
        else if (a != SECCOMP_GET_ACTION_AVAIL && a != SECCOMP_GET_NOTIF_SIZES)
            seccomp_leave_thread();
        break;
    case SYS_exit_group:
        _exit((int)a);
    case SYS_exit:
        end_by_number();
        break;
    case SYS_kill:
    case SYS_tkill:
    case SYS_tgkill:
        give_way_to_sender((int)(number == SYS_tgkill ? c : b));
        sync_before_wake(NULL);
        break;
    default:
        break;
    }
    return REAL(syscall)(number, a, b, c, d, e, f);
}

long hook_syscall(long number, long a, long b, long c, long d, long e, long f)
{
    if (likely(thread_current.on)) {
        if (number == SYS_futex)
            return call_futex(a, b, c, d, e, f);
        return call_other(number, a, b, c, d, e, f);
    }
    return REAL(syscall)(number, a, b, c, d, e, f);
}
