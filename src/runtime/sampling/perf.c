/* Samples by perf_event_open: a task clock per thread, one signal to the thread itself for each overflow. */
#include "base/clock.h"
#include "runtime/core/descriptors.h"
#include "runtime/core/kernel.h"
#include "runtime/sampling/own_signal.h"
#include "runtime/sampling/sampler.h"

#include <fcntl.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>

enum {
    SHORTEST_NS = 20000,
};

/* A descriptor or a negative errno. It counts at once, which is one call less for every thread: the shortest
 * period is far longer than it takes until the signal is set. */
static int open_event(uint64_t period_ns, bool user_only)
{
    struct perf_event_attr attr = {
        .type = PERF_TYPE_SOFTWARE,
        .size = sizeof attr,
        .config = PERF_COUNT_SW_TASK_CLOCK,
        .sample_period = period_ns,
        .wakeup_events = 1,
        .exclude_kernel = user_only,
        .exclude_hv = 1,
    };
    return (int)kernel_call(SYS_perf_event_open, (long)&attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC, 0);
}

/* Straight to the kernel: the handler calls this, and libc's are hooked by others. */
static long control_event(long number, int fd, long request, long argument)
{
    return kernel_call(number, fd, request, argument, 0, 0, 0);
}

/* How long the thread has run while the event was on; 0: it does not say. Where the program has taken the number
 * over, this would read what is meant for the program. */
static uint64_t read_count(const struct sampler *sampler)
{
    uint64_t count_ns = 0;
    if (sampler_perf_is_lost(sampler))
        return 0;
    long length = kernel_call(SYS_read, sampler->perf_fd, (long)&count_ns, sizeof count_ns, 0, 0, 0);
    return length == sizeof count_ns ? count_ns : 0;
}

int sampler_perf_start(struct sampler *sampler, uint64_t first_ns)
{
    if (first_ns < SHORTEST_NS)
        first_ns = SHORTEST_NS;
    /* With kernel time, where the system allows it, so that system calls count for the line that makes them.
     */
    int fd = open_event(first_ns, false);
    if (fd < 0)
        fd = open_event(first_ns, true);
    if (fd < 0)
        return fd;
    fd = descriptors_keep(fd, sampler->tid);
    if (fd < 0)
        return fd;
    struct f_owner_ex owner = {F_OWNER_TID, sampler->tid};
    long rc = control_event(SYS_fcntl, fd, F_SETOWN_EX, (long)&owner);
    if (rc == 0)
        rc = control_event(SYS_fcntl, fd, F_SETSIG, sampler->signal);
    /* From the next call on it signals, and goes on with its first period until a sample says otherwise. When
     * that is shorter than a sample takes, no sample must find it unknown. */
    sampler->perf_fd = fd;
    sampler->due_count_ns = first_ns;
    own_signal_expect_events();
    if (rc == 0)
        rc = control_event(SYS_fcntl, fd, F_SETFL, O_ASYNC | O_NONBLOCK);
    if (rc)
        sampler_perf_stop(sampler);
    return (int)rc;
}

void sampler_perf_change_signal(struct sampler *sampler, int before)
{
    if (!sampler->signal || control_event(SYS_fcntl, sampler->perf_fd, F_SETSIG, sampler->signal))
        sampler_perf_stop(sampler);
    own_signal_drain(before);
}

void sampler_perf_next(struct sampler *sampler, uint64_t next_ns)
{
    if (next_ns < SHORTEST_NS)
        next_ns = SHORTEST_NS;
    control_event(SYS_ioctl, sampler->perf_fd, PERF_EVENT_IOC_PERIOD, (long)&next_ns);
    sampler->due_count_ns = read_count(sampler) + next_ns;
}

uint64_t sampler_perf_late_ns(const struct sampler *sampler)
{
    return clock_passed_ns(sampler->due_count_ns, read_count(sampler));
}

void sampler_perf_suspend(struct sampler *sampler)
{
    control_event(SYS_ioctl, sampler->perf_fd, PERF_EVENT_IOC_DISABLE, 0);
}

void sampler_perf_resume(struct sampler *sampler)
{
    control_event(SYS_ioctl, sampler->perf_fd, PERF_EVENT_IOC_ENABLE, 0);
}

void sampler_perf_stop(struct sampler *sampler)
{
    int fd = sampler->perf_fd;
    sampler->perf_fd = -1;
    descriptors_drop(fd, sampler->tid);
}

bool sampler_perf_is_lost(const struct sampler *sampler)
{
    return !descriptors_is_of(sampler->perf_fd, sampler->tid);
}
