/* What needs no privilege: POSIX timers that signal the thread itself. On the thread's CPU clock they fire on
 * ticks of the scheduler only, a few hundred times a second at best; the true weights make up for that. But
 * such a timer costs nothing while a thread runs, nor when it is switched to, and little to begin with.
 *
 * By number, not by libc's functions: the handler calls these. */
#include "base/clock.h"
#include "runtime/arch/spin.h"
#include "runtime/core/declarations.h"
#include "runtime/core/kernel.h"
#include "runtime/sampling/own_signal.h"
#include "runtime/sampling/sampler.h"

#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>

enum { USUAL_TICK_NS = 4000000 };

int sampler_timer_create(struct sampler *sampler, clockid_t clock)
{
    struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID,
                             .sigev_signo = sampler->signal,
                             .sigev_value = {.sival_ptr = (void *)SEGMENT_SIGNAL_VALUE}};
    event.sigev_notify_thread_id = sampler->tid;
    int timer;
    long rc = kernel_call(SYS_timer_create, clock, (long)&event, (long)&timer, 0, 0, 0);
    if (rc < 0)
        return (int)rc;
    sampler->timer = timer;
    sampler->has_timer = true;
    sampler->timer_is_fine = clock == CLOCK_MONOTONIC;
    return 0;
}

/* What has been due for long may not have fired either: its core can be the host's for milliseconds. The
 * kernel knows; the handler, where the signal is blocked, does not. */
static bool is_armed(const struct sampler *sampler)
{
    struct itimerspec left = {.it_value = {0, 0}};
    kernel_call(SYS_timer_gettime, sampler->timer, (long)&left, 0, 0, 0, 0);
    return left.it_value.tv_sec || left.it_value.tv_nsec;
}

/* A fine timer fires on the core on which it was set. Who has moved to another, and takes it down or sets it
 * at that very moment, asks the kernel again and again for the lock that the first core waits for, and on
 * virtual machines that has taken half a minute and more. So it fires first. Where its handler sets it again, that
 * is on this core. */
static void let_fire(const struct sampler *sampler)
{
    enum { SOON_NS = 20000, BETWEEN_LOOKS_NS = 5000, LONGEST_NS = 50000000 };
    uint64_t began = clock_wall_ns(), looked = 0, due = sampler->fires_at_ns;
    if (!sampler->timer_is_fine || (unsigned)sched_getcpu() == sampler->timer_core || began + SOON_NS < due)
        return;
    for (uint64_t now = began;
         sampler->timer_is_set && sampler->fires_at_ns == due && now < began + LONGEST_NS;
         now = clock_wall_ns()) {
        if (now > due && now > looked + BETWEEN_LOOKS_NS) {
            if (!is_armed(sampler))
                return;
            looked = clock_wall_ns();
        }
        spin_pause();
        atomic_signal_fence(memory_order_seq_cst); /* the handler says that it has */
    }
}

void sampler_timer_set(struct sampler *sampler, uint64_t ns)
{
    let_fire(sampler);
    struct itimerspec time = {
        .it_value = {.tv_sec = (time_t)(ns / 1000000000u), .tv_nsec = (long)(ns % 1000000000u)}};
    sampler->fires_at_ns = clock_wall_ns() + ns;
    sampler->timer_core = (unsigned)sched_getcpu();
    int timer;
    long rc;
    do { /* the handler may have put another one in its place (sampler_timer_change_signal()) */
        timer = *(volatile int *)&sampler->timer;
        rc = kernel_call(SYS_timer_settime, timer, 0, (long)&time, 0, 0, 0);
    } while (rc && timer != *(volatile int *)&sampler->timer);
    sampler->timer_is_set = ns != 0;
}

void sampler_timer_stop(struct sampler *sampler)
{
    let_fire(sampler);
    sampler->has_timer = sampler->timer_is_set = sampler->timer_is_fine = false;
    atomic_signal_fence(memory_order_seq_cst); /* from here on the handler leaves it alone */
    kernel_call(SYS_timer_delete, sampler->timer, 0, 0, 0, 0, 0);
}

void sampler_timer_change_signal(struct sampler *sampler, int before)
{
    bool is_set = sampler->timer_is_set, is_fine = sampler->timer_is_fine;
    uint64_t left_ns = clock_passed_ns(clock_wall_ns(), sampler->fires_at_ns);
    sampler_timer_stop(sampler);
    own_signal_drain(before);
    if (!sampler->signal ||
        sampler_timer_create(sampler, is_fine ? CLOCK_MONOTONIC : CLOCK_THREAD_CPUTIME_ID) || !is_set)
        return;
    if (is_fine)
        sampler_timer_set(sampler, left_ns ? left_ns : 1);
    else
        sampler_ticks_next(sampler, sampler_period(sampler));
}

uint64_t sampler_tick_ns(void)
{
    static _Atomic uint64_t known;
    uint64_t tick = atomic_load_explicit(&known, memory_order_relaxed);
    if (!tick) {
        struct timespec time = {0, 0};
        kernel_call(SYS_clock_getres, CLOCK_MONOTONIC_COARSE, (long)&time, 0, 0, 0, 0);
        tick = time.tv_nsec > 0 ? (uint64_t)time.tv_nsec : USUAL_TICK_NS;
        atomic_store_explicit(&known, tick, memory_order_relaxed);
    }
    return tick;
}

int sampler_ticks_start(struct sampler *sampler, uint64_t first_ns)
{
    int rc = sampler_timer_create(sampler, CLOCK_THREAD_CPUTIME_ID);
    if (rc == 0)
        sampler_ticks_next(sampler, first_ns);
    return rc;
}

void sampler_ticks_next(struct sampler *sampler, uint64_t next_ns)
{
    /* The kernel fires it on the next tick after that time, which is half a tick too late on average: so that
     * is subtracted. */
    uint64_t tick = sampler_tick_ns();
    sampler_timer_set(sampler, next_ns > tick ? next_ns - tick / 2 : 1);
}
