#include "runtime/core/descriptors.h"

#include "runtime/core/kernel.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/syscall.h>

enum {
    NUMBERS = 1 << 16, /* those above are not kept */
    HIGH = 500,        /* where there are that many, out of the way of programs that count on low numbers */
    ROOM = 1023,       /* the highest for which there is room from the start */
};

static _Atomic pid_t owners[NUMBERS];
static _Atomic int end; /* all kept ones lie below */

static void close_number(int fd)
{
    kernel_call(SYS_close, fd, 0, 0, 0, 0, 0);
}

static int move_up(int fd)
{
    int high = (int)kernel_call(SYS_fcntl, fd, F_DUPFD_CLOEXEC, HIGH, 0, 0, 0);
    struct rlimit64 limit;
    if (high != -EINVAL || kernel_call(SYS_prlimit64, 0, RLIMIT_NOFILE, 0, (long)&limit, 0, 0))
        return high;
    return (int)kernel_call(SYS_fcntl, fd, F_DUPFD_CLOEXEC, (long)(limit.rlim_cur / 2), 0, 0, 0);
}

void descriptors_make_room(void)
{
    int fd = (int)kernel_call(SYS_openat, AT_FDCWD, (long)"/", O_PATH | O_CLOEXEC, 0, 0, 0);
    if (fd < 0)
        return;
    int high = (int)kernel_call(SYS_fcntl, fd, F_DUPFD_CLOEXEC, ROOM, 0, 0, 0);
    if (high < 0)
        high = move_up(fd);
    if (high >= 0)
        close_number(high);
    close_number(fd);
}

int descriptors_keep(int fd, pid_t tid)
{
    int high = move_up(fd);
    close_number(fd);
    if (high < 0)
        return -EMFILE;
    if (high >= NUMBERS) {
        close_number(high);
        return -EMFILE;
    }
    int before = atomic_load_explicit(&end, memory_order_relaxed);
    while (before <= high && !atomic_compare_exchange_weak(&end, &before, high + 1))
        ;
    atomic_store(&owners[high], tid);
    return high;
}

bool descriptors_is_kept(int fd)
{
    return fd >= 0 && fd < atomic_load_explicit(&end, memory_order_relaxed) &&
           atomic_load_explicit(&owners[fd], memory_order_relaxed);
}

bool descriptors_is_of(int fd, pid_t tid)
{
    return fd >= 0 && fd < NUMBERS && atomic_load_explicit(&owners[fd], memory_order_relaxed) == tid;
}

void descriptors_drop(int fd, pid_t tid)
{
    if (descriptors_is_of(fd, tid) && atomic_compare_exchange_strong(&owners[fd], &tid, 0))
        close_number(fd);
}

int descriptors_next(int from)
{
    int last = atomic_load(&end);
    for (int fd = from < 0 ? 0 : from; fd < last; fd++)
        if (atomic_load_explicit(&owners[fd], memory_order_relaxed))
            return fd;
    return -1;
}

void descriptors_after_fork(void)
{
    int kept_end = 0;
    for (int fd = 0; (fd = descriptors_next(fd)) >= 0; fd++) {
        if (descriptors_is_of(fd, DESCRIPTORS_OF_FAMILY))
            kept_end = fd + 1;
        else
            descriptors_drop(fd, atomic_load(&owners[fd]));
    }
    atomic_store(&end, kept_end);
}

pid_t descriptors_give(int fd)
{
    return descriptors_is_kept(fd) ? atomic_exchange(&owners[fd], 0) : 0;
}

void descriptors_give_back(int fd, pid_t tid)
{
    if (tid)
        atomic_store(&owners[fd], tid);
}
