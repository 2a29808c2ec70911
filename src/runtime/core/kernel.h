/* System calls of the runtime itself. libc's syscall() is hooked, and its named functions are points where a
 * thread may be cancelled and places where others hook: these go straight to the kernel.
 *
 * Any thread, handlers too; errno is not touched. */
#pragma once

#include "runtime/arch/system_call.h"

#include <errno.h>
#include <stdbool.h>
#include <sys/syscall.h>

/* Whether the eight bytes there can be read. The kernel looks at them before it refuses what it is asked. */
static inline bool kernel_can_read(const void *at)
{
    enum { NO_SUCH_CHANGE = -1, MASK_SIZE = 8 };
    return kernel_call(SYS_rt_sigprocmask, NO_SUCH_CHANGE, (long)at, 0, MASK_SIZE, 0, 0) != -EFAULT;
}
