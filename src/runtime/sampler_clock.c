/* Samples as often as perf's, without any privilege, for threads that run long at a time: a timer on the wall
 * clock, which the kernel keeps to the microsecond. It is set to when the next sample would be due if the
 * thread kept its core until then. If it has not, the sample is not due yet by the thread's CPU clock, and
 * the timer is set to the rest.
 *
 * What sleeps must not be woken for that. Hooked calls that may block take the timer down and set it again
 * afterwards, which takes microseconds, unless such calls have returned at once lately. A thread that is
 * found asleep in any other call goes back to ticks. */
#include "base/clock.h"
#include "runtime/kernel.h"
#include "runtime/sampler.h"

#include <errno.h>
#include <sys/syscall.h>
#include <time.h>

enum {
    WAITS_NS = 20000,    /* a wait from here on */
    SHORT_WAITS = 4,     /* so many in a row that were shorter: the next will be, too */
    SHORTEST_NS = 20000, /* it is set to that at least, and what is due within that is due */
    COARSE_NS = 100000,  /* kernels without timers of high resolution fire on ticks, whatever the clock */
};

static void set(struct thread *thread, uint64_t ns)
{
    if (ns < SHORTEST_NS)
        ns = SHORTEST_NS;
    sampler_timer_set(thread, ns);
}

int sampler_clock_start(struct thread *thread, uint64_t first_ns)
{
    struct timespec finest = {0, 0};
    kernel_call(SYS_clock_getres, CLOCK_MONOTONIC, (long)&finest, 0, 0, 0, 0);
    if (finest.tv_sec || finest.tv_nsec > COARSE_NS)
        return -ENOTSUP;
    int rc = sampler_timer_create(thread, CLOCK_MONOTONIC);
    if (rc == 0) {
        sampler_clock_next(thread, first_ns);
        sampler_clock_resume(thread);
    }
    return rc;
}

void sampler_clock_next(struct thread *thread, uint64_t next_ns)
{
    thread->due_ns = thread->rest_ns = next_ns;
}

void sampler_clock_suspend(struct thread *thread)
{
    if (thread->timer_is_set)
        thread->rest_ns = clock_passed_ns(clock_wall_ns(), thread->fires_at_ns);
}

void sampler_clock_resume(struct thread *thread)
{
    if (!thread->waits)
        set(thread, thread->rest_ns);
}

void sampler_clock_wait(struct thread *thread)
{
    thread->held_ns = clock_wall_ns();
    if (!thread->timer_is_set || thread->short_waits >= SHORT_WAITS)
        return;
    sampler_clock_suspend(thread);
    sampler_timer_set(thread, 0);
}

void sampler_clock_go_on(struct thread *thread)
{
    bool waited = clock_wall_ns() - thread->held_ns > WAITS_NS;
    thread->short_waits = waited ? 0 : thread->short_waits + 1;
    if (!thread->timer_is_set && !thread->suspended)
        sampler_clock_resume(thread);
}

bool sampler_clock_was_early(struct thread *thread)
{
    uint64_t passed = clock_passed_ns(thread->sampled_cpu_ns + thread->excluded_ns, clock_cpu_ns());
    if (thread->due_ns < passed + SHORTEST_NS)
        return false;
    set(thread, thread->due_ns - passed);
    return true;
}
