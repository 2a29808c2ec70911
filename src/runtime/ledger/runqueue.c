#include "runtime/ledger/runqueue.h"

#include "base/clock.h"
#include "runtime/clock/queued.h"
#include "shared/cores.h"
#include "shared/growth.h"
#include "shared/site_counts.h"

#include <errno.h>

enum {
    OFF_CPU_NS = 20000, /* wall time without CPU time from here on is worth asking the scheduler about */
    WORTH_LOOKING_NS = 10000, /* a debt from here on is worth a look into the history */
    LATE_PERIODS = 6,         /* no step is later */
};

/* How long the thread was off its core since it was last settled. */
static uint64_t off_cpu_ns(const struct account *account, struct instant now)
{
    return clock_passed_ns(clock_passed_ns(account->mark.cpu_ns, now.cpu_ns),
                           clock_passed_ns(account->mark.wall_ns, now.wall_ns));
}

/* Credits what the thread lost at its looks at the clock, out of queued_ns in the run queue. Returns what is
 * left of those. Steps come late: what grew in one of these turns may stand for earlier ones, for which nothing was
 * due yet. So the time of those counts, too. */
static uint64_t credit_lost(struct account *account, uint64_t queued_ns)
{
    struct lost_turns lost = account->presence.lost;
    uint64_t most_ns = LATE_PERIODS * runtime_segment->period_ns;
    if (lost.ns > queued_ns)
        lost.ns = queued_ns;
    uint64_t for_ns = account->uncredited_ns + lost.ns;
    if (lost.ns)
        for_ns -= ledger_credit_runqueue(&account->balance, runtime_segment, lost.growth_ns, for_ns);
    account->uncredited_ns = for_ns < most_ns ? for_ns : most_ns;
    account->presence.lost = (struct lost_turns){0, 0};
    return queued_ns - lost.ns;
}

static void set_mark(struct account *account, struct instant now)
{
    account->mark = now;
    account->mark_core = account->presence.core;
}

void runqueue_mark(struct account *account, struct instant now)
{
    int saved = errno;
    uint64_t off = off_cpu_ns(account, now);
    if (off > OFF_CPU_NS)
        credit_lost(account,
                    queued_take(&account->presence, queued_ask(&account->presence), off, now.wall_ns));
    set_mark(account, now);
    errno = saved;
}

/* What `required` grew by between two moments; `otherwise`, when its history does not go back that far. */
static uint64_t growth_between(uint64_t from_ns, uint64_t until_ns, uint64_t otherwise_ns)
{
    uint64_t before = growth_at(runtime_segment, from_ns), after = growth_at(runtime_segment, until_ns);
    if (before == UINT64_MAX || after == UINT64_MAX)
        return otherwise_ns;
    return after > before ? after - before : 0;
}

/* When the thread began to stand in the run queue, of a stretch of wall_ns since it was last settled: when
 * another one of the tree was first seen on its core. If none was, in the middle is the best guess, and it
 * can be off by half of the rest only, which is less than a period. */
static uint64_t queued_from(const struct account *account, uint64_t queued_ns, uint64_t wall_ns)
{
    uint64_t earliest = account->mark.wall_ns, latest = earliest + wall_ns - queued_ns;
    uint64_t lost = core_lost_at(runtime_segment, account->mark_core, account->presence.number, earliest);
    if (!lost)
        return earliest + (latest - earliest) / 2;
    return lost < latest ? lost : latest;
}

/* Credits what `required` grew by while the thread was queued. */
static void credit_queued(struct account *account, uint64_t queued_ns, uint64_t wall_ns, uint64_t behind_ns)
{
    uint64_t from = queued_from(account, queued_ns, wall_ns);
    uint64_t otherwise = (uint64_t)((double)behind_ns * (double)queued_ns / (double)wall_ns);
    uint64_t credited = ledger_credit_runqueue(&account->balance, runtime_segment,
                                               growth_between(from, from + queued_ns, otherwise), queued_ns);
    /* What grew in the step in which it came back grew before that: it waited for its core, and woke nobody. */
    runqueue_was_absent(account, (struct absence){from, from + queued_ns + GROWTH_STEP_NS, credited});
}

void runqueue_was_absent(struct account *account, struct absence absence)
{
    account->absences[account->absences_count++ % ABSENCES] = absence;
}

/* Steps come late, at a sample or where a stretch ends, and are written into the history for the time that
 * they stand for. What it now says of an absence, and did not when that ended, is credited. Were it not, a
 * thread that waits often and briefly would pay for steps that others made on its core while it waited. */
static void credit_absences(struct account *account, uint64_t now_ns)
{
    uint64_t oldest = now_ns - LATE_PERIODS * runtime_segment->period_ns;
    for (int i = 0; i < ABSENCES; i++) {
        struct absence *absence = &account->absences[i];
        if (absence->until_ns < oldest || absence->until_ns < absence->from_ns + GROWTH_STEP_NS)
            continue;
        /* The step of the history in which it ended may have grown only afterwards: what woke it may run in
         * the target from then on. */
        uint64_t growth = growth_between(absence->from_ns, absence->until_ns - GROWTH_STEP_NS, 0);
        if (growth > absence->credited_ns)
            absence->credited_ns += ledger_credit_runqueue(
                &account->balance, runtime_segment, growth - absence->credited_ns,
                clock_passed_ns(absence->from_ns + absence->credited_ns, absence->until_ns));
    }
}

void runqueue_take_lift(struct account *account)
{
    uint64_t lifted = account->lifted_ns ? atomic_load_explicit(account->lifted_ns, memory_order_relaxed) : 0;
    if (unlikely(lifted > account_paid_ns(account)))
        ledger_lift(&account->balance, runtime_segment, lifted);
}

bool runqueue_credit(struct account *account, struct instant now)
{
    runqueue_take_lift(account);
    uint64_t behind = ledger_behind(&account->balance, runtime_segment);
    uint64_t wall = clock_passed_ns(account->mark.wall_ns, now.wall_ns), off = off_cpu_ns(account, now);
    bool asleep = false;
    if (behind > WORTH_LOOKING_NS) {
        credit_absences(account, now.wall_ns);
        behind = ledger_behind(&account->balance, runtime_segment);
    }
    if (behind && off >= OFF_CPU_NS) {
        int saved = errno;
        struct scheduled told = queued_ask(&account->presence);
        bool blocked = queued_was_blocked(&account->presence, told);
        uint64_t queued = queued_take(&account->presence, told, off, now.wall_ns),
                 rest = credit_lost(account, queued);
        asleep = blocked && off - queued > wall / 2;
        if (asleep)
            runqueue_pay(account, rest);
        else if (rest > OFF_CPU_NS)
            credit_queued(account, rest, wall, behind);
        set_mark(account, now);
        errno = saved;
    }
    /* Credit comes first, and then what was paused too long: while that stands beside the balance, a step of
     * the thread's own does not make it owed by others. */
    ledger_paused(&account->balance, runtime_segment, 0);
    return asleep;
}

void runqueue_credit_back(struct account *account, uint64_t queued_ns, struct instant now)
{
    ledger_credit_runqueue(&account->balance, runtime_segment,
                           growth_between(now.wall_ns - queued_ns, now.wall_ns, queued_ns), queued_ns);
}

void runqueue_pay(struct account *account, uint64_t queued_ns)
{
    uint64_t debt_ns = ledger_debt(&account->balance, runtime_segment);
    uint64_t paid_ns = queued_ns < debt_ns ? queued_ns : debt_ns;
    account_pause(account, runtime_segment, paid_ns);
    if (unlikely(account->core_waits.is_target))
        account->core_waits.queued_ns += paid_ns; /* nor is it a wait for a core that gets shorter */
}

void runqueue_woke(struct account *account, uint64_t blocked_ns, struct instant now)
{
    int saved = errno;
    runqueue_pay(account, runqueue_in_step(account, blocked_ns, now.wall_ns, 0));
    set_mark(account, now);
    errno = saved;
}

void runqueue_credit_lag(struct account *account, struct absence *absence, struct instant now)
{
    enum { WORTH_ASKING_NS = 1000, SHORT_NS = 15000 };
    uint64_t behind = ledger_behind(&account->balance, runtime_segment);
    uint64_t lag = clock_passed_ns(absence->until_ns, now.wall_ns), queued;
    if (behind < WORTH_ASKING_NS && lag < SHORT_NS)
        return;
    int saved = errno;
    queued = queued_take(&account->presence, queued_ask(&account->presence), lag, now.wall_ns);
    if (queued > lag / 2)
        queued = lag;
    uint64_t growth = lag ? (uint64_t)((double)behind * (double)queued / (double)lag) : 0;
    absence->until_ns += queued;
    absence->credited_ns += ledger_credit_runqueue(&account->balance, runtime_segment, growth, queued);
    errno = saved;
}

void runqueue_credit_start(struct account *account, struct instant now)
{
    if (ledger_debt(&account->balance, runtime_segment) < OFF_CPU_NS)
        return;
    account->presence.before = queued_ask(&account->presence);
    runqueue_credit_back(account, account->presence.before.queued_ns, now); /* all of its life */
}

uint64_t runqueue_in_step(struct account *account, uint64_t step_ns, uint64_t now_ns, uint64_t otherwise_ns)
{
    struct scheduled told = queued_ask(&account->presence);
    return queued_is_told(&account->presence) ? queued_take(&account->presence, told, step_ns, now_ns)
                                              : otherwise_ns;
}

bool runqueue_left_core(struct account *account)
{
    int saved = errno;
    bool left = queued_left_core(&account->presence);
    errno = saved;
    return left;
}

void runqueue_count(struct account *account, uint64_t now_ns)
{
    enum { COUNT_EVERY_NS = 10000000 };
    if (clock_passed_ns(account->counted_at_ns, now_ns) < COUNT_EVERY_NS)
        return;
    int saved = errno;
    uint64_t told_ns = queued_ask(&account->presence).queued_ns;
    uint64_t queued_ns = clock_passed_ns(account->counted_ns, told_ns);
    atomic_fetch_add_explicit(&runtime_segment->queued_ns, queued_ns, memory_order_relaxed);
    uint32_t number = atomic_load_explicit(&runtime_segment->wait_targets[WAIT_QUEUE], memory_order_relaxed);
    if (number)
        site_counts_add(runtime_segment, number, queued_ns);
    account->counted_ns = told_ns;
    account->counted_at_ns = now_ns;
    errno = saved;
}
