#include "runtime/calls/sync.h"

#include "base/clock.h"
#include "runtime/core/departure.h"
#include "runtime/ledger/pause.h"
#include "runtime/ledger/stretch.h"

#include <errno.h>

/* After a departure the thread is off from here on. Its timer and its slot are freed when the process ends.
 * */
static bool begin_work(struct thread *thread)
{
    thread->on = departure_begin_work();
    return thread->on;
}

static void tell_cost(struct thread *thread)
{
    if (!budget_is_worth_telling(&thread->budget))
        return;
    thread_guard_begin(thread);
    pause_own_cost(&thread->account, thread->budget.cost_ns);
    thread->budget.cost_ns = 0;
    thread_guard_end(thread);
}

/* What ended at `now` ran in_target_ns in the target (0: nothing of it): credits, steps or slows the thread
 * down, and pauses until there is no debt. Returns the moment when the thread was level. The CPU time it took
 * is not the program's: it is left out of the next sample. */
static struct instant pay_debt(struct thread *thread, uint64_t in_target_ns, struct instant now)
{
    struct account *account = &thread->account;
    /* Credit comes before our own step, which it would swallow otherwise. */
    bool asleep = runqueue_credit(account, now);
    struct instant end = pause_apply_target(account, in_target_ns, now);
    if (ledger_debt(&account->balance, runtime_segment)) {
        sampler_suspend(&thread->sampler);
        end = pause_until_level(account, asleep, end);
        sampler_resume(&thread->sampler);
    }
    thread->sampler.excluded_ns += clock_passed_ns(now.cpu_ns, end.cpu_ns);
    return end;
}

/* The thread becomes level. Returns what that cost. */
static uint64_t settle_thread(struct thread *thread, uintptr_t at)
{
    struct account *account = &thread->account;
    uint64_t began_ns = clock_wall_ns();
    struct instant now, end;
    if (unlikely(thread->wait.is_on)) /* it left a call that waited: cancelled, or by an exception */
        thread->budget.cost_ns += thread_set_waits(thread, false);
    thread_guard_begin(thread);
    budget_choose(&thread->budget, began_ns);
    if (stretch_is_followed(&thread->stretch)) {
        ramp_hold(account);
        uint64_t in_target = stretch_turn(&thread->stretch, &account->presence, at, &now);
        ramps_fold(account);
        end = pay_debt(thread, in_target, now);
        stretch_skip(&thread->stretch, now, end);
        thread_exclude(thread, end, instant_move(&account->presence, end));
        stretch_publish(&thread->stretch, account);
    } else {
        now = instant_now(&account->presence);
        ramps_fold(account);
        end = pay_debt(thread, 0, now);
        thread_exclude(thread, end, instant_move(&account->presence, end));
    }
    budget_settled(&thread->budget, clock_wall_ns(), ticks_now());
    thread_guard_end(thread);
    return instant_own_cost_ns(began_ns, end.wall_ns - now.wall_ns);
}

void sync_settle_slowly(uintptr_t at)
{
    struct thread *thread = &thread_current;
    if (!thread->on || thread->guard || sync_passes() || !begin_work(thread))
        return;
    int saved = errno;
    thread->budget.cost_ns += settle_thread(thread, at);
    tell_cost(thread);
    departure_end_work();
    errno = saved;
}

void sync_wait_begin_slowly(uintptr_t at)
{
    struct thread *thread = &thread_current;
    int saved = errno;
    budget_pass_none(&thread->budget);
    thread->wait.cost_ns = 0;
    if (!sync_is_calm() && !thread->guard && begin_work(thread)) {
        thread->wait.cost_ns = settle_thread(thread, at);
        departure_end_work();
    }
    ramp_hide(&thread->account);
    thread->wait.cost_ns += thread_set_waits(thread, true);
    thread->wait.began_ns = clock_wall_ns();
    thread->wait.paid_ns = account_paid_ns(&thread->account);
    errno = saved;
}

/* The cost of beginning a wait is owed only when it delayed the thread, which it did if the wait was short.
 * In a longer one the thread would have waited for the peer anyway, so the cost delayed nobody; were it owed
 * all the same, the thread would be credited for it when it wakes. */
static uint64_t owed_for_wait(struct thread *thread, enum sync_waker waker)
{
    enum { WAITED_NS = 20000 };
    uint64_t cost_ns = thread->wait.cost_ns;
    thread->wait.cost_ns = 0;
    if (!cost_ns || waker == WOKEN_BY_OUTSIDE)
        return cost_ns;
    return clock_passed_ns(thread->wait.began_ns, clock_wall_ns()) < WAITED_NS ? cost_ns : 0;
}

/* Steps that come late may stand for the wait. */
static void keep_wait(struct thread *thread, uint64_t until_ns, uint64_t credited_ns)
{
    enum { WORTH_KEEPING_NS = 5000 };
    if (until_ns > thread->wait.began_ns + WORTH_KEEPING_NS)
        runqueue_was_absent(&thread->account, thread->wait.began_ns, until_ns, credited_ns);
}

void sync_wait_end_slowly(enum sync_waker waker)
{
    struct thread *thread = &thread_current;
    thread->budget.cost_ns += owed_for_wait(thread, waker);
    thread->budget.cost_ns += thread_set_waits(thread, false);
    bool followed = stretch_is_followed(&thread->stretch);
    if (thread->guard)
        return;
    if (sync_is_calm() && !budget_is_worth_telling(&thread->budget)) {
        if (waker != WOKEN_BY_OUTSIDE)
            keep_wait(thread, clock_wall_ns(), 0);
        return;
    }
    if (!begin_work(thread))
        return;
    uint64_t began_ns = clock_wall_ns();
    thread_guard_begin(thread);
    budget_pass_none(&thread->budget);
    ramps_fold(&thread->account);
    struct instant now = instant_now(&thread->account.presence), end = now;
    if (waker == WOKEN_BY_OUTSIDE) {
        if (ledger_debt(&thread->account.balance, runtime_segment) >= PAUSE_WORTH_SLEEPING_NS)
            end = pay_debt(thread, 0, now);
    } else {
        uint64_t waited = now.wall_ns - thread->wait.began_ns;
        uint64_t credited =
            ledger_credit_wake(&thread->account.balance, runtime_segment, thread->wait.paid_ns + waited);
        keep_wait(thread, now.wall_ns, credited);
        runqueue_mark(&thread->account, now);
    }
    if (followed) {
        if (waker == SPUN_FOR_PEER)
            stretch_anew(&thread->stretch, now);
        else
            stretch_waited(&thread->stretch, now);
        stretch_skip(&thread->stretch, now, end);
        stretch_publish(&thread->stretch, &thread->account);
    }
    budget_settled(&thread->budget, clock_wall_ns(), ticks_now());
    thread->budget.cost_ns += instant_own_cost_ns(began_ns, end.wall_ns - now.wall_ns);
    tell_cost(thread);
    thread_guard_end(thread);
    departure_end_work();
}

void sync_after_end(uint64_t ended_ns, uint64_t paid_ns)
{
    struct thread *thread = &thread_current;
    if (!thread->on || thread->guard)
        return;
    thread_guard_begin(thread);
    ledger_meet(&thread->account.balance, paid_ns + (clock_wall_ns() - ended_ns));
    thread_guard_end(thread);
}
