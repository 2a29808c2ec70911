#include "runtime/ledger/pause.h"

#include "base/clock.h"
#include "runtime/arch/spin.h"
#include "runtime/core/kernel.h"
#include "runtime/ledger/ramp.h"
#include "shared/cores.h"
#include "shared/growth.h"

#include <errno.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

/* System calls here are made by number: libc's functions are points where a thread may be cancelled, and a
 * pause can come in the middle of anything. */

/* Spins for ns of the core's time from `since` on. While the thread is in the run queue and another one of
 * the tree has the core, that is no pause, and when it pays, what `required` grew by in it is credited. But
 * when the host, an interrupt or a stranger takes the core away, nobody's time goes on there: that is as good
 * a pause as spinning. They come as often in real time as they do; were they no pauses, they would come more
 * often in virtual time, the more delay there is. */
static struct instant spin_for(struct account *account, bool pays, uint64_t ns, struct instant since)
{
    uint64_t last = since.wall_ns, spun = 0, level = required_now(), elsewhere = account->elsewhere_ns;
    unsigned core = (unsigned)sched_getcpu();
    bool preempted = false;
    do {
        uint64_t now = clock_wall_ns(), step = now - last, grown = required_now();
        if (unlikely(account->elsewhere_ns != elsewhere)) {
            elsewhere = account->elsewhere_ns; /* a handler of the program's ran: no pause */
            preempted = true;
        } else if (step < PREEMPTED_NS) {
            spun += step;
        } else {
            uint64_t queued = runqueue_in_step(account, step, now, step);
            preempted = true;
            if (!core_was_ours(runtime_segment, core, last))
                queued = 0;
            spun += step - queued;
            if (pays && grown > level)
                ledger_credit_runqueue(&account->balance, runtime_segment,
                                       instant_share_ns(grown - level, queued, step), queued);
        }
        level = grown;
        last = now;
        if (step >= PREEMPTED_NS) /* it may have come back on another */
            core = (unsigned)sched_getcpu();
        core_note(runtime_segment, core, now, account->presence.number);
        for (int i = 0; i < 4; i++)
            spin_pause();
    } while (spun < ns && runtime_collects());
    if (pays) {
        account->paid_on_core_ns += spun;
        account_pause(account, runtime_segment, spun);
    }
    return preempted ? instant_now(&account->presence) : (struct instant){last, since.cpu_ns + spun};
}

/* A timer is late, and the core that it wakes may have to wake first. */
static uint64_t sleep_to_ask_for(const struct account *account, uint64_t ns)
{
    enum { SHORTEST_NS = 5000 };
    return ns > account->wakes_late_ns + SHORTEST_NS ? ns - account->wakes_late_ns : SHORTEST_NS;
}

/* The mean of the last ones; what has taken longer was something else. */
static void note_lateness(struct account *account, uint64_t late_ns)
{
    enum { LONGEST_NS = 300000, OF = 8 };
    if (late_ns < LONGEST_NS)
        account->wakes_late_ns = ((OF - 1) * account->wakes_late_ns + late_ns) / OF;
}

/* The pause ends when the thread could have its core: what it has to wait for that, it would have to wait
 * anyway, unless it is blocked. */
static struct instant sleep_for(struct account *account, uint64_t ns, bool blocked, struct instant since)
{
    if (ns > PAUSE_LONGEST_SLEEP_NS)
        ns = PAUSE_LONGEST_SLEEP_NS;
    ns = sleep_to_ask_for(account, ns);
    /* The default slack of 50 us would make short pauses twice as long; the program's own sleeps keep theirs.
     */
    uint64_t elsewhere = account->elsewhere_ns;
    long slack = kernel_call(SYS_prctl, PR_GET_TIMERSLACK, 0, 0, 0, 0, 0);
    account->own_slack_ns = (uint64_t)slack;
    kernel_call(SYS_prctl, PR_SET_TIMERSLACK, 1, 0, 0, 0, 0);
    struct timespec time = {.tv_sec = 0, .tv_nsec = (long)ns};
    kernel_call(SYS_nanosleep, (long)&time, 0, 0, 0, 0, 0);
    kernel_call(SYS_prctl, PR_SET_TIMERSLACK, slack, 0, 0, 0, 0);
    account->own_slack_ns = 0;
    struct instant now = instant_now(&account->presence);
    elsewhere = account->elsewhere_ns - elsewhere;
    uint64_t slept = clock_passed_ns(since.wall_ns + elsewhere, now.wall_ns);
    uint64_t queued = runqueue_in_step(account, slept, now.wall_ns, 0);
    if (slept >= ns) /* no signal came */
        note_lateness(account, clock_passed_ns(ns + queued, slept));
    account_pause(account, runtime_segment, slept - queued);
    if (blocked)
        runqueue_pay(account, queued);
    else
        runqueue_credit_back(account, queued, now);
    return now;
}

/* A debt larger than what the window has inserted so far is from an earlier one, and disturbs this one. Who
 * pays asleep disturbs nobody: a thread that sleeps for longer than a window always owes what earlier ones
 * inserted. */
static void audit_carried(uint64_t debt)
{
    uint64_t since =
        required_now() - atomic_load_explicit(&runtime_segment->window_required_ns, memory_order_relaxed);
    if (debt > since)
        atomic_fetch_add_explicit(&runtime_segment->carried_ns, debt - since, memory_order_relaxed);
}

/* Where waits for a core are the target, who pauses gives its core to those that are behind. */
static struct instant pause_once(struct account *account, uint64_t ns, bool asleep, struct instant since)
{
    int saved = errno;
    bool sleeps = asleep || (account->core_waits.is_target && ns >= PAUSE_WORTH_SLEEPING_NS);
    ramp_hide(account);
    if (!sleeps)
        audit_carried(ns);
    struct instant end = sleeps ? sleep_for(account, ns, asleep, since) : spin_for(account, true, ns, since);
    runqueue_mark(account, end);
    errno = saved;
    return end;
}

struct instant pause_for_debt(struct account *account, struct instant since)
{
    if (!runtime_collects())
        return since;
    return pause_once(account, ledger_debt(&account->balance, runtime_segment), false, since);
}

/* By what ran on its core, and not by a wait. */
static void step_on_core(struct account *account, uint64_t ns)
{
    account->paid_on_core_ns += ns;
    ledger_step(&account->balance, runtime_segment, ns);
}

struct instant pause_apply_target(struct account *account, uint64_t in_target_ns, struct instant now)
{
    segment_target target = runtime_target();
    int32_t permille = segment_target_permille(target);
    if (!in_target_ns || !permille || !runtime_is_steered(now.wall_ns))
        return now;
    if (permille < 0)
        return spin_for(account, false, in_target_ns * (uint64_t)-permille / 1000,
                        now); /* the others owe nothing */
    struct growth_climb climb = {.since_ns = now.wall_ns - in_target_ns, .took_ns = in_target_ns};
    climb.from_ns = account_paid_ns(account);
    climb.to_ns = climb.from_ns + in_target_ns * (uint64_t)permille / 1000;
    step_on_core(account, climb.to_ns - climb.from_ns);
    growth_note_climb(runtime_segment, &climb, now.wall_ns);
    return now;
}

/* Not written into the history for the time of the wait: the thread held no core then, and whoever stood in the
 * run queue waited for others, who pay from now on. What its ramp told meanwhile is there already. */
void pause_get_ahead(struct account *account, uint64_t to_ns, struct instant now)
{
    uint64_t paid = account_paid_ns(account);
    if (to_ns <= paid || !runtime_is_steered(now.wall_ns))
        return;
    ledger_step(&account->balance, runtime_segment, to_ns - paid);
    growth_note(runtime_segment, now.wall_ns, required_now());
}

void pause_lengthen_wait(uint64_t ns)
{
    int saved = errno;
    struct timespec time = {.tv_sec = (time_t)(ns / 1000000000u), .tv_nsec = (long)(ns % 1000000000u)};
    kernel_call(SYS_nanosleep, (long)&time, 0, 0, 0, 0, 0);
    errno = saved;
}

struct instant pause_until_level(struct account *account, bool asleep, struct instant since)
{
    struct instant end = since;
    uint64_t debt;
    while ((debt = ledger_debt(&account->balance, runtime_segment)) && runtime_collects()) {
        if (debt < PAUSE_WORTH_SLEEPING_NS)
            asleep = false;
        end = pause_once(account, debt, asleep, end);
        ramps_fold(account);
        /* What became due while it slept is owed by a thread that, in virtual time, is blocked still. */
        asleep = runqueue_credit(account, end) || asleep;
    }
    return end;
}

void pause_own_cost(struct account *account, uint64_t ns)
{
    segment_target target = runtime_target();
    uint64_t now = clock_wall_ns();
    if (!ns || !segment_target_site(target) || !runtime_is_steered(now))
        return;
    account->stood_ns += ns;
    step_on_core(account, ns);
    growth_note(runtime_segment, now, required_now());
}
