/* Samples as often as perf's, without any privilege, for threads that run long at a time: a timer on the wall
 * clock, which the kernel keeps to the microsecond. It is set to when the next sample would be due if the
 * thread kept its core until then. If it has not, the sample is not due yet by the thread's CPU clock, and
 * the timer is set to the rest.
 *
 * What sleeps must not be woken for that. Hooked calls that may block take the timer down and set it again
 * afterwards, which takes microseconds, unless such calls have lately returned at once, or computed all the while. A
 * thread that is found asleep in any other call goes back to ticks.
 *
 * Where samples are dear (sampling/choice.c), setting a timer is, too. Threads that are sampled sparsely keep
 * theirs armed over waits and pauses. The moments are then chosen at random in real time, and a sample weighs
 * whatever CPU time has passed: none is too early. But what fires while the thread sleeps is none, also when
 * the signal comes after it was woken: where samples are dear, interrupts are late. */
#include "base/clock.h"
#include "runtime/core/kernel.h"
#include "runtime/sampling/sampler.h"

#include <errno.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>

enum {
    WAITS_NS = 20000,    /* a wait from here on */
    SLEEPS_NS = 3000,    /* who does nothing but wait, and was not back by then, slept */
    SHORT_WAITS = 4,     /* so many in a row that were shorter: the next will be, too */
    SHORTEST_NS = 20000, /* it is set to that at least, and what is due within that is due */
    LITTLE =
        4, /* as is what is early by such a part: put off by so little it falls into the same place of the
                            program's next round */
    COARSE_NS = 100000, /* kernels without timers of high resolution fire on ticks, whatever the clock */
};

static void set_timer(struct sampler *sampler, uint64_t ns)
{
    sampler->is_stale = false;
    if (ns < SHORTEST_NS)
        ns = SHORTEST_NS;
    sampler_timer_set(sampler, ns);
}

int sampler_clock_start(struct sampler *sampler, uint64_t first_ns)
{
    struct timespec finest = {0, 0};
    kernel_call(SYS_clock_getres, CLOCK_MONOTONIC, (long)&finest, 0, 0, 0, 0);
    if (finest.tv_sec || finest.tv_nsec > COARSE_NS)
        return -ENOTSUP;
    int rc = sampler_timer_create(sampler, CLOCK_MONOTONIC);
    if (rc == 0) {
        sampler_clock_next(sampler, first_ns);
        sampler_clock_resume(sampler);
    }
    return rc;
}

void sampler_clock_next(struct sampler *sampler, uint64_t next_ns)
{
    sampler->due_ns = sampler->rest_ns = next_ns;
}

void sampler_clock_suspend(struct sampler *sampler)
{
    if (sampler->timer_is_set && !sampler->is_sparse)
        sampler->rest_ns = clock_passed_ns(clock_wall_ns(), sampler->fires_at_ns);
}

/* Each time anew: set to the same time after each wait, it would find rounds at the same place. */
static void set_timer_at_random(struct sampler *sampler)
{
    set_timer(sampler, sampler_period(sampler));
}

void sampler_clock_resume(struct sampler *sampler)
{
    if (sampler->waits || (sampler->is_sparse && sampler->timer_is_set))
        return;
    if (sampler->is_sparse)
        set_timer_at_random(sampler);
    else
        set_timer(sampler, sampler->rest_ns);
}

bool sampler_clock_waits(struct sampler *sampler, uint64_t now_ns, bool may_compute)
{
    sampler->held_ns = now_ns;
    sampler->may_compute = may_compute;
    if (sampler->is_sparse && may_compute)
        sampler->held_cpu_ns = clock_cpu_ns();
    return sampler->timer_is_set && !sampler->is_sparse && sampler->short_waits < SHORT_WAITS;
}

void sampler_clock_hold(struct sampler *sampler)
{
    sampler_clock_suspend(sampler);
    sampler_timer_set(sampler, 0);
}

bool sampler_clock_slept(const struct sampler *sampler)
{
    uint64_t passed = clock_passed_ns(sampler->held_ns, clock_wall_ns());
    if (!sampler->may_compute)
        return sampler->is_sparse && passed > SLEEPS_NS;
    return sampler->is_sparse && clock_passed_ns(sampler->held_cpu_ns, clock_cpu_ns()) < passed / 2;
}

/* Whether the thread slept in the call that is over, which took as long as a wait. Its sleeps in calls that do nothing
 * else are known. */
static bool slept_in_call(struct sampler *sampler)
{
    struct rusage usage;
    if (!sampler->may_compute) {
        sampler->known_sleeps++;
        return true;
    }
    if (kernel_call(SYS_getrusage, RUSAGE_THREAD, (long)&usage, 0, 0, 0, 0))
        return true;
    uint64_t known = sampler->known_sleeps;
    sampler->known_sleeps = (uint64_t)usage.ru_nvcsw;
    return sampler->known_sleeps > known;
}

bool sampler_clock_goes_on(struct sampler *sampler, uint64_t now_ns)
{
    bool waited = now_ns - sampler->held_ns > WAITS_NS && slept_in_call(sampler);
    if (sampler->timer_is_set && sampler->fires_at_ns <= now_ns)
        sampler->is_stale = sampler_clock_slept(sampler);
    sampler->short_waits = waited ? 0 : sampler->short_waits + 1;
    return !sampler->timer_is_set && !sampler->suspended;
}

bool sampler_clock_was_early(struct sampler *sampler, uint64_t cpu_ns, bool was_away)
{
    if (sampler->is_sparse && !sampler->is_stale && !was_away)
        return false;
    if (sampler->is_sparse) {
        set_timer_at_random(sampler);
        return true;
    }
    uint64_t passed = clock_passed_ns(sampler->sampled_cpu_ns + sampler->excluded_ns, cpu_ns);
    if (!was_away && sampler->due_ns - sampler->due_ns / LITTLE < passed + SHORTEST_NS)
        return false;
    sampler->rest_ns = clock_passed_ns(passed, sampler->due_ns);
    sampler_clock_resume(sampler);
    return true;
}
