#include "runtime/thread/handlers.h"

#include "base/clock.h"
#include "runtime/core/kernel.h"
#include "runtime/sampling/own_signal.h"
#include "runtime/sampling/sampler.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

static void mask_samples(int how)
{
    if (!own_signal())
        return;
    uint64_t ours = 1ull << (own_signal() - 1);
    kernel_call(SYS_rt_sigprocmask, how, (long)&ours, 0, sizeof ours, 0, 0);
}

static struct interruption put_away(struct thread *thread)
{
    struct interruption was = {
        .any = true,
        .guard = thread->guard,
        .suspended = thread->sampler.suspended,
        .holds_samples = thread->nesting.holds_samples,
        .is_nested = thread->nesting.is_nested,
        .began_ns = clock_wall_ns(),
        .paid_ns = account_paid_ns(&thread->account),
        .wait = thread->wait,
    };
    if (thread->account.own_slack_ns)
        kernel_call(SYS_prctl, PR_SET_TIMERSLACK, (long)thread->account.own_slack_ns, 0, 0, 0, 0);
    thread->account.own_slack_ns = 0;
    thread->budget.cost_ns += thread_set_waits(thread, false, was.began_ns);
    thread->nesting.holds_samples = false;
    if (was.suspended)
        sampler_resume(&thread->sampler);
    thread->nesting.is_nested |= was.guard > 0;
    thread->guard = 1;
    thread_guard_end(thread);
    if (was.holds_samples)
        mask_samples(SIG_UNBLOCK);
    return was;
}

struct interruption handlers_enter(void)
{
    struct thread *thread = &thread_current;
    if (!thread->on)
        return (struct interruption){.any = false};
    thread->nesting.handlers++;
    if (likely(!thread->guard && !thread->wait.is_on && !thread->sampler.suspended &&
               !thread->nesting.holds_samples))
        return (struct interruption){.any = false};
    return put_away(thread);
}

/* The thread waits on. When it has been levelled meanwhile, what that said holds for the wait from here on.
 */
static void wait_on(struct thread *thread, const struct interruption *was)
{
    uint64_t paid = account_paid_ns(&thread->account), now = clock_wall_ns();
    thread->wait = was->wait;
    if (paid != was->paid_ns) {
        thread->wait.began_ns = now;
        thread->wait.began_ticks = 0;
        thread->wait.paid_ns = paid;
    }
    thread->budget.cost_ns += thread_set_waits(thread, true, now);
}

void handlers_leave(const struct interruption *was)
{
    struct thread *thread = &thread_current;
    if (likely(!was->any))
        return;
    if (thread->on) {
        thread_guard_begin(thread);
        if (was->holds_samples)
            mask_samples(SIG_BLOCK);
        thread->nesting.holds_samples = was->holds_samples;
        if (was->suspended)
            sampler_suspend(&thread->sampler);
        if (was->wait.is_on)
            wait_on(thread, was);
        thread->account.elsewhere_ns += clock_wall_ns() - was->began_ns;
        thread_guard_end(thread);
    }
    thread->nesting.is_nested = was->is_nested;
    thread->guard = was->guard;
}

void handlers_forget(struct thread *thread)
{
    thread->guard = 0;
    thread->budget.cost_ns += thread_set_waits(thread, false, clock_wall_ns());
}
