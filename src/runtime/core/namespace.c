#include "runtime/core/namespace.h"

#include "runtime/core/kernel.h"
#include "shared/thread_slots.h"

#include <fcntl.h> /* AT_FDCWD */
#include <sys/stat.h>
#include <sys/syscall.h>

static uint32_t tag; /* segment_number() */

bool namespace_is_home(void)
{
    return tag == 0;
}

uint32_t namespace_number(pid_t pid)
{
    return segment_number((uint32_t)pid, tag);
}

uint64_t namespace_own_word(void)
{
    pid_t tid = (pid_t)kernel_call(SYS_gettid, 0, 0, 0, 0, 0, 0);
    pid_t pid = (pid_t)kernel_call(SYS_getpid, 0, 0, 0, 0, 0, 0);
    return thread_slot_word(namespace_number(tid), namespace_number(pid));
}

bool namespace_has_ended(uint64_t owner)
{
    long pid = segment_number_pid(thread_slot_pid(owner)), tid = segment_number_pid(thread_slot_tid(owner));
    return thread_slot_tag(owner) == tag && kernel_call(SYS_tgkill, pid, tid, 0, 0, 0, 0) == -ESRCH;
}

static uint32_t tag_of_namespace(const struct segment *segment)
{
    struct stat status;
    if (kernel_call(SYS_newfstatat, AT_FDCWD, (long)SEGMENT_PID_NAMESPACE, (long)&status, 0, 0, 0))
        return SEGMENT_PID_TAGS;
    return status.st_ino == segment->pid_namespace ? 0
                                                   : 1 + (uint32_t)(status.st_ino % (SEGMENT_PID_TAGS - 1));
}

void namespace_join(const struct segment *segment)
{
    tag = tag_of_namespace(segment);
}
