#include "experiment/breakpoints/trap.h"

#include "base/clock.h"

#include <errno.h>
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { VISITS = 100 };

/* What the breakpoint is set to: the compiler must neither inline it nor see that it does nothing. */
static __attribute__((noinline)) void be_visited(void)
{
    __asm__ volatile("" ::: "memory");
}

static int open_breakpoint(void)
{
    struct perf_event_attr attr = {
        .type = PERF_TYPE_BREAKPOINT,
        .size = sizeof attr,
        .bp_type = HW_BREAKPOINT_X,
        .bp_addr = (uintptr_t)be_visited,
        .bp_len = sizeof(long),
        .pinned = 1,
        .inherit = 1,
        .remove_on_exec = 1,
        .exclude_kernel = 1,
        .exclude_hv = 1,
        .disabled = 1,
        .sample_period = 1ull << 62,
        .sigtrap = 1, /* as alarms have; here none comes */
    };
    return (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

static uint64_t time_visits(void)
{
    uint64_t began_ns = clock_cpu_ns();
    for (int i = 0; i < VISITS; i++)
        be_visited();
    return clock_passed_ns(began_ns, clock_cpu_ns());
}

static int read_paranoid(void)
{
    int level = 0;
    FILE *file = fopen("/proc/sys/kernel/perf_event_paranoid", "re");
    if (!file || fscanf(file, "%d", &level) != 1)
        level = 0;
    if (file)
        fclose(file);
    return level;
}

#define OTHER_WAYS "; `-p call:NAME` and `-p FILE:LINE@sampled` need none"

int trap_explain(int code, struct coz_error *err)
{
    switch (code) {
    case EACCES:
    case EPERM:
        if (read_paranoid() > 2)
            return error_set(
                err, code,
                "this system forbids hardware breakpoints (kernel.perf_event_paranoid is %d): `sudo sysctl kernel.perf_event_paranoid=2` allows them" OTHER_WAYS,
                read_paranoid());
        return error_set(
            err, code,
            "this system forbids hardware breakpoints; a container needs `--cap-add PERFMON`, or `--security-opt seccomp=unconfined`" OTHER_WAYS);
    case ENOSPC:
        return error_set(err, code,
                         "a debugger, or another profiler, has the processor's breakpoints" OTHER_WAYS);
    case EINVAL:
    case E2BIG:
        return error_set(err, code, "hardware breakpoints need Linux 5.13 or newer" OTHER_WAYS);
    default:
        return error_set(err, code, "there are no hardware breakpoints here (%s)" OTHER_WAYS, strerror(code));
    }
}

int trap_measure(uint64_t *cost_ns, struct coz_error *err)
{
    uint64_t met = 0;
    int fd = open_breakpoint();
    if (fd < 0)
        return trap_explain(errno, err);
    uint64_t free_ns = time_visits();
    ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
    uint64_t taken_ns = time_visits();
    bool counts = read(fd, &met, sizeof met) == sizeof met && met == VISITS;
    close(fd);
    if (!counts) /* a virtual machine that has none takes them all the same */
        return error_set(err, ENODEV, "hardware breakpoints do not count on this machine" OTHER_WAYS);
    *cost_ns = clock_passed_ns(free_ns, taken_ns) / VISITS;
    return 0;
}
