#include "runtime/calls/sync.h"

#include "base/clock.h"
#include "runtime/calls/naps.h"
#include "runtime/core/departure.h"
#include "runtime/ledger/core_waits.h"
#include "runtime/ledger/pause.h"
#include "runtime/ledger/stretch.h"
#include "shared/waits.h"

#include <errno.h>

enum { WAITED_NS = 20000 }; /* a wait that was no longer may have been one for a moment */

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
static struct instant pay_debt(struct thread *thread, uint64_t in_target_ns, bool blocked, struct instant now)
{
    struct account *account = &thread->account;
    /* Credit comes before our own step, which it would swallow otherwise. */
    bool asleep = runqueue_credit(account, now) || blocked;
    core_waits_shorten(account, now);
    struct instant end = pause_apply_target(account, in_target_ns, now);
    uint64_t debt = ledger_debt(&account->balance, runtime_segment);
    if (debt) {
        bool is_long = asleep || debt >= PAUSE_WORTH_SLEEPING_NS;
        if (is_long)
            sampler_suspend(&thread->sampler);
        end = pause_until_level(account, asleep, end);
        if (is_long)
            sampler_resume(&thread->sampler);
    }
    thread->naps.owes = false;
    thread->sampler.excluded_ns += clock_passed_ns(now.cpu_ns, end.cpu_ns);
    return end;
}

/* Returns the moment when the thread was level; *now is when it began to be made so, began_ns of the wall clock. Inlined
 * for threads that have passed marks of regions and for all others, so that these read and test nothing for regions. */
static inline __attribute__((always_inline)) struct instant
become_level(struct thread *thread, uintptr_t at, uint64_t began_ns, struct instant *now, bool has_regions)
{
    struct account *account = &thread->account;
    struct instant end;
    bool stopped = false;
    if (stretch_is_followed(&thread->stretch)) {
        *now = instant_back(instant_move(&account->presence, thread->stretch.since), began_ns);
        ramp_hold(account);
        uint64_t in_target = stretch_turn(&thread->stretch, at, *now);
        if (has_regions) {
            stopped = thread_stop_regions(thread, *now);
            in_target += thread_take_region(thread, *now);
        }
        ramps_fold(account);
        end = pay_debt(thread, in_target, thread->naps.owes, *now);
        stretch_skip(&thread->stretch, *now, end);
    } else {
        *now = instant_back(instant_now(&account->presence), began_ns);
        if (has_regions)
            stopped = thread_stop_regions(thread, *now);
        ramps_fold(account);
        end = pay_debt(thread, 0, thread->naps.owes, *now);
    }
    if (has_regions)
        thread_resume_regions(thread, stopped, end);
    return end;
}

static __attribute__((noinline)) struct instant
become_level_in_regions(struct thread *thread, uintptr_t at, uint64_t began_ns, struct instant *now)
{
    return become_level(thread, at, began_ns, now, true);
}

/* The thread is settled, and was level at `end`: from there on what the runtime has done is left out. Returns when that
 * was over. */
static uint64_t end_settling(struct thread *thread, struct instant end)
{
    struct instant over = instant_move(&thread->account.presence, end);
    thread_exclude(thread, end, over);
    if (stretch_is_followed(&thread->stretch))
        stretch_publish(&thread->stretch, &thread->account);
    budget_settled(&thread->budget, over.wall_ns, ticks_now());
    return over.wall_ns;
}

/* The thread becomes level. Returns what that cost. */
static uint64_t settle_thread(struct thread *thread, uintptr_t at)
{
    uint64_t began_ns = clock_wall_ns();
    struct instant now, end;
    if (unlikely(thread->wait.is_on)) { /* it left a call that waited: cancelled, or by an exception */
        thread->budget.cost_ns += thread_set_waits(thread, false, began_ns);
        if (unlikely(thread->regions.stopped))
            regions_go_on(&thread->regions, NULL);
    }
    thread_guard_begin(thread);
    thread->naps.woke_ns = 0; /* it does something else */
    budget_choose(&thread->budget, began_ns);
    if (unlikely(thread->regions.is_used))
        end = become_level_in_regions(thread, at, began_ns, &now);
    else
        end = become_level(thread, at, began_ns, &now, false);
    uint64_t over_ns = end_settling(thread, end);
    thread_guard_end(thread);
    return instant_cost_ns(began_ns, end.wall_ns - now.wall_ns, over_ns);
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

/* The thread looks at its CPU clock, and no more. */
static void look(struct thread *thread)
{
    uint64_t began_ns = clock_wall_ns();
    thread_guard_begin(thread);
    struct instant now = instant_now(&thread->account.presence);
    bool stopped = regions_stop(&thread->regions, now);
    thread_resume_regions(thread, stopped, now);
    thread_note_cost(thread, instant_own_cost_ns(began_ns, 0));
    thread_guard_end(thread);
}

/* Whether the thread is in the target, which is a region, from here on. */
static bool mark_target(struct thread *thread)
{
    struct regions *regions = &thread->regions;
    thread_guard_begin(thread);
    regions_follow(regions);
    bool is_target = regions_are_in_target(regions);
    if (is_target)
        stretch_mark(&thread->stretch, segment_target_site(regions->word), true, regions->anchor);
    thread_guard_end(thread);
    return is_target;
}

void sync_settle_at_mark(uintptr_t at)
{
    struct thread *thread = &thread_current;
    if (!begin_work(thread))
        return;
    int saved = errno;
    bool settles = mark_target(thread) || thread->wait.is_on; /* it left a call that waited */
    if (settles)
        thread->budget.cost_ns += settle_thread(thread, at);
    else
        look(thread);
    tell_cost(thread);
    departure_end_work();
    errno = saved;
}

static void pass_none_while_waiting(struct budget *budget, bool for_a_moment)
{
    if (for_a_moment)
        budget_settle_next(budget);
    else
        budget_pass_none(budget);
}

static inline void set_wait(struct wait *wait, const void *object, uintptr_t at, enum wait_class class)
{
    wait->class = class;
    wait->at = at;
    wait->object = object;
    wait->lock = NULL;
    wait->cost_ns = wait->ours_ns = 0;
    wait->began_ticks = 0;
}

static __attribute__((noinline)) void begin_waiting(struct thread *thread, const void *object, uintptr_t at,
                                                    enum wait_class class)
{
    int saved = errno;
    uint64_t cost_ns = 0;
    bool for_a_moment = wait_may_compute(class) && budget_returns_at_once(&thread->budget);
    bool passes = for_a_moment && sync_passes();
    if (!passes)
        pass_none_while_waiting(&thread->budget, for_a_moment || class == WAIT_LOCK);
    bool pays_asleep = naps_go_on(thread, class, class == WAIT_SLEEP ? clock_wall_ns() : 0);
    if (!passes && !pays_asleep && !sync_is_calm() && !thread->guard && begin_work(thread)) {
        cost_ns = settle_thread(thread, at);
        departure_end_work();
    }
    ramp_hide(&thread->account);
    set_wait(&thread->wait, object, at, class);
    uint64_t now = clock_wall_ns(), held_ns = thread_set_waits(thread, true, now);
    thread->wait.cost_ns = cost_ns + held_ns;
    thread->wait.began_ns = now + held_ns;
    thread->wait.paid_ns = account_paid_ns(&thread->account);
    waits_begin(thread);
    if (unlikely(thread->regions.depth) && !thread->guard)
        regions_stop_to_wait(&thread->regions);
    errno = saved;
}

/* Whether nothing is due, and nothing tried that could make it so: then how long the wait was is all that there is to be
 * told, and nothing where it was short. Who hands work to and fro does little but wait so, and two looks at the clock were
 * most of what that cost: so the processor's ticks tell whether it was. */
static inline bool waits_plainly(const struct thread *thread, enum wait_class class)
{
    return sync_is_calm() && !runtime_target() && !thread->guard && !thread->sampler.timer_is_fine &&
           (class == WAIT_LOCK || class == WAIT_CONDITION) && !thread->regions.depth;
}

static inline void begin_plainly(struct thread *thread, const void *object, uintptr_t at,
                                 enum wait_class class)
{
    struct wait *wait = &thread->wait;
    pass_none_while_waiting(&thread->budget, class == WAIT_LOCK);
    budget_note_call(&thread->budget, false);
    naps_go_on(thread, class, 0);
    thread_note_waits(thread, true);
    set_wait(wait, object, at, class);
    wait->permille = 0;
    wait->cpu_ns = 0;
    wait->paid_ns = thread->calm_ns;
    wait->began_ticks = ticks_now();
}

/* Whether that was all. */
static inline bool end_plainly(struct thread *thread, uint64_t ended_ticks)
{
    const struct wait *wait = &thread->wait;
    if (ended_ticks - wait->began_ticks >= thread->short_ticks || !wait->began_ticks ||
        !waits_plainly(thread, wait->class))
        return false;
    thread_note_waits(thread, false);
    return true;
}

/* It was not. */
static void tell_beginning(struct thread *thread, uint64_t ended_ns, uint64_t ended_ticks)
{
    struct wait *wait = &thread->wait;
    if (wait->began_ticks)
        wait->began_ns = ended_ns - thread_since_ns(thread, wait->began_ticks, ended_ticks);
    wait->began_ticks = 0;
    if (!thread->short_ticks)
        thread_learn_ticks(thread);
}

void sync_wait_begin_slowly(const void *object, uintptr_t at, enum wait_class class)
{
    struct thread *thread = &thread_current;
    if (likely(thread->short_ticks && waits_plainly(thread, class)))
        begin_plainly(thread, object, at, class);
    else
        begin_waiting(thread, object, at, class);
}

/* The cost of beginning a wait is owed only when it delayed the thread, which it did if the wait was short.
 * In a longer one the thread would have waited for the peer anyway, so the cost delayed nobody; were it owed
 * all the same, the thread would be credited for it when it wakes. */
static uint64_t owed_for_wait(struct thread *thread, enum sync_waker waker, uint64_t now_ns)
{
    uint64_t cost_ns = thread->wait.cost_ns;
    thread->wait.cost_ns = 0;
    if (!cost_ns || waker == WOKEN_BY_OUTSIDE)
        return cost_ns;
    return clock_passed_ns(thread->wait.began_ns, now_ns) < WAITED_NS ? cost_ns : 0;
}

/* Steps that come late may stand for the wait. */
static void keep_wait(struct thread *thread, struct absence wait)
{
    enum { WORTH_KEEPING_NS = 5000 };
    if (wait.until_ns > wait.from_ns + WORTH_KEEPING_NS)
        runqueue_was_absent(&thread->account, wait);
}

/* What the wait that ended at now_ns adds to the totals. Returns by how much it is shortened. *began_ns: from when on
 * what the runtime does has not been counted as its cost. */
static int64_t end_wait(struct thread *thread, enum sync_waker waker, uint64_t now_ns, uint64_t *began_ns)
{
    uint64_t ns = clock_passed_ns(thread->wait.began_ns, now_ns);
    if (likely(ns < WAIT_COUNTS_NS && !thread->wait.permille) || !begin_work(thread))
        return 0;
    int saved = errno;
    int64_t gain = 0;
    uint32_t share =
        thread->wait.permille ? ns >= WAIT_COUNTS_NS : short_waits_share(&thread->short_waits, ns, now_ns);
    if (share && !thread->wait.permille && wait_may_compute(thread->wait.class) &&
        !runqueue_left_core(&thread->account))
        share = 0;
    if (share || thread->wait.permille) {
        ramp_hide(&thread->account);
        gain = waits_end(thread, waker != WOKEN_BY_OUTSIDE, share, now_ns);
        uint64_t over_ns = clock_wall_ns();
        thread_note_cost(thread, instant_cost_ns(*began_ns, 0, over_ns));
        *began_ns = over_ns;
    } else { /* too little to be told as a cost */
        waits_pass(thread, now_ns);
    }
    departure_end_work();
    errno = saved;
    return gain;
}

/* The thread has stood in the run queue for that part of its wait, which is not the wait's. */
static uint64_t wait_queued_ns(struct thread *thread, uint64_t waited_ns, uint64_t now_ns)
{
    uint64_t queued = runqueue_in_step(&thread->account, waited_ns, now_ns, 0);
    return queued < waited_ns ? queued : waited_ns;
}

/* The wait was that much shorter. A peer that ended it was level; who waited for the outside owes what became due
 * meanwhile, but for what it stood in the run queue. */
static void shorten_wait(struct thread *thread, enum sync_waker waker, int64_t gain, struct instant now)
{
    uint64_t waited = clock_passed_ns(thread->wait.began_ns, now.wall_ns);
    uint64_t queued = wait_queued_ns(thread, waited, now.wall_ns);
    double part = waited ? (double)(waited - queued) / (double)waited : 0;
    uint64_t own = (uint64_t)((double)(gain < 0 ? -gain : gain) * part),
             before = account_paid_ns(&thread->account);
    if (gain < 0) {
        pause_lengthen_wait(own);
        return;
    }
    if (waker == WOKEN_BY_OUTSIDE) {
        runqueue_credit_back(&thread->account, queued, now);
        own += account_paid_ns(&thread->account) - before;
    }
    pause_get_ahead(&thread->account, thread->wait.paid_ns + own, now);
    if (waker == WOKEN_BY_PEER)
        waits_lift_waker(thread, now.wall_ns);
}

/* Nobody of the tree ended the wait: it owes what became due meanwhile. */
static struct instant pay_for_outside(struct thread *thread, struct instant now)
{
    bool blocked = !wait_may_compute(thread->wait.class);
    if (blocked)
        runqueue_woke(&thread->account, clock_passed_ns(thread->wait.began_ns, now.wall_ns), now);
    return pay_debt(thread, 0, blocked, now);
}

/* A peer ended the wait: the thread is credited with what became due until then, and with what it stood in the run
 * queue from there on. Returns its absence. */
static struct absence credit_wait(struct thread *thread, enum sync_waker waker, struct instant now)
{
    struct balance *balance = &thread->account.balance;
    struct absence absence = {.from_ns = thread->wait.began_ns, .until_ns = now.wall_ns};
    uint64_t most = thread->wait.paid_ns + clock_passed_ns(absence.from_ns, now.wall_ns);
    struct handover handover;
    if (waker != WOKEN_BY_PEER || !ledger_behind(balance, runtime_segment) ||
        !waits_find_handover(thread, now.wall_ns, &handover)) {
        absence.credited_ns = ledger_credit_wake(balance, runtime_segment, most);
        return absence;
    }
    absence.until_ns = handover.ns;
    absence.credited_ns = ledger_credit_wake(balance, runtime_segment,
                                             handover.required_ns < most ? handover.required_ns : most);
    runqueue_credit_lag(&thread->account, &absence, now);
    return absence;
}

/* Whether the thread passes the end of its wait, and what that tells of the hooks that follow. */
static bool passes_end(struct thread *thread, enum sync_waker waker, uint64_t ended_ns)
{
    struct budget *budget = &thread->budget;
    const struct wait *wait = &thread->wait;
    bool was_short = clock_passed_ns(wait->began_ns + wait->ours_ns, ended_ns) < WAITED_NS;
    bool at_once = was_short && waker == WOKEN_BY_OUTSIDE && wait_may_compute(wait->class);
    budget_note_call(budget, at_once);
    if (at_once)
        budget->cost_ns += wait->ours_ns;
    if (at_once && budget_returns_at_once(budget) && sync_passes())
        return true;
    pass_none_while_waiting(budget, at_once || (was_short && wait->class == WAIT_LOCK));
    return false;
}

/* Inside the guard, from before the thread counts as running until it has its credit: a sample in between would
 * take for a debt what became due while it waited, and have it paid. The timer, set again here, is apt to fire
 * just then. */
static __attribute__((noinline)) void end_waiting(struct thread *thread, enum sync_waker waker,
                                                  uint64_t ended_ns)
{
    bool passes = passes_end(thread, waker, ended_ns);
    thread->budget.cost_ns += owed_for_wait(thread, waker, ended_ns);
    uint64_t set_ns = thread_set_waits(thread, false, ended_ns), began_ns = ended_ns + set_ns;
    thread->budget.cost_ns += set_ns;
    int64_t gain = end_wait(thread, waker, ended_ns, &began_ns);
    bool followed = stretch_is_followed(&thread->stretch);
    if (waker == WOKEN_BY_OUTSIDE && !gain && naps_may_owe(thread, ended_ns)) {
        bool is_new = thread->naps.in_row == NAPS_KNOWN;
        if ((is_new || budget_is_worth_telling(&thread->budget)) && begin_work(thread)) {
            if (is_new)
                sampler_hardly_runs(&thread->sampler);
            tell_cost(thread);
            departure_end_work();
        }
        return;
    }
    if (sync_is_calm() && !gain && !budget_is_worth_telling(&thread->budget)) {
        if (waker != SPUN_FOR_PEER && !wait_may_compute(thread->wait.class))
            runqueue_skip(&thread->account, clock_passed_ns(thread->wait.began_ns, ended_ns));
        if (waker != WOKEN_BY_OUTSIDE)
            keep_wait(thread, (struct absence){thread->wait.began_ns, ended_ns, 0});
        return;
    }
    if ((passes && !gain) || !begin_work(thread))
        return;
    ramps_fold(&thread->account);
    struct instant now = instant_back(instant_now(&thread->account.presence), began_ns), end = now;
    if (waker == WOKEN_BY_OUTSIDE) {
        if (unlikely(gain != 0))
            shorten_wait(thread, waker, gain, now);
        core_waits_shorten(&thread->account, now);
        if (ledger_debt(&thread->account.balance, runtime_segment) >= PAUSE_WORTH_SLEEPING_NS)
            end = pay_for_outside(thread, now);
        if (thread->naps.woke_ns)
            thread->naps.woke_ns = end.wall_ns;
    } else {
        struct absence absence = credit_wait(thread, waker, now);
        runqueue_take_lift(&thread->account);
        if (unlikely(gain != 0))
            shorten_wait(thread, waker, gain, now);
        core_waits_shorten(&thread->account, now);
        keep_wait(thread, absence);
        runqueue_mark(&thread->account, now);
    }
    if (followed) {
        if (waker == SPUN_FOR_PEER)
            stretch_anew(&thread->stretch, now);
        else
            stretch_waited(&thread->stretch, now);
        stretch_skip(&thread->stretch, now, end);
    }
    uint64_t over_ns = end_settling(thread, end);
    thread->budget.cost_ns += instant_cost_ns(began_ns, end.wall_ns - now.wall_ns, over_ns);
    tell_cost(thread);
    departure_end_work();
}

void sync_wait_end_slowly(enum sync_waker waker)
{
    struct thread *thread = &thread_current;
    uint64_t ended_ticks = ticks_now();
    if (likely(end_plainly(thread, ended_ticks)))
        return;
    uint64_t ended_ns = clock_wall_ns();
    tell_beginning(thread, ended_ns, ended_ticks);
    if (unlikely(thread->guard)) { /* what waited was our own work */
        thread_set_waits(thread, false, ended_ns);
        return;
    }
    thread_guard_begin(thread);
    end_waiting(thread, waker, ended_ns);
    thread_guard_end(thread);
    if (unlikely(thread->regions.stopped))
        regions_go_on(&thread->regions, NULL);
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
