#include "runtime/ledger.h"

static uint64_t paid(const struct ledger_account *account)
{
    return atomic_load_explicit(account->paid_ns, memory_order_relaxed);
}

static void set_paid(struct ledger_account *account, uint64_t ns)
{
    atomic_store_explicit(account->paid_ns, ns, memory_order_relaxed);
}

static uint64_t required(const struct segment *segment)
{
    return atomic_load_explicit(&segment->due.required_ns, memory_order_relaxed);
}

static void audit(_Atomic uint64_t *total, uint64_t ns)
{
    atomic_fetch_add_explicit(total, ns, memory_order_relaxed);
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

uint64_t ledger_behind(const struct ledger_account *account, const struct segment *segment)
{
    uint64_t now = paid(account), level = required(segment);
    return level > now ? level - now : 0;
}

uint64_t ledger_debt(const struct ledger_account *account, const struct segment *segment)
{
    uint64_t behind = ledger_behind(account, segment);
    return behind > account->overshoot_ns ? behind - account->overshoot_ns : 0;
}

void ledger_paused(struct ledger_account *account, struct segment *segment, uint64_t ns)
{
    uint64_t now = paid(account), owed = required(segment) - smaller(now, required(segment));
    uint64_t have = ns + account->overshoot_ns;
    uint64_t used = smaller(have, owed);
    set_paid(account, now + used);
    account->overshoot_ns = have - used;
    audit(&segment->paused_ns, ns);
}

void ledger_step(struct ledger_account *account, struct segment *segment, uint64_t ns)
{
    uint64_t ahead = paid(account) + ns;
    set_paid(account, ahead);
    audit(&segment->own_steps_ns, ns);
    uint64_t before = required(segment);
    while (before < ahead &&
           !atomic_compare_exchange_weak_explicit(&segment->due.required_ns, &before, ahead,
                                                  memory_order_acq_rel, memory_order_relaxed))
        ;
}

uint64_t ledger_credit_wake(struct ledger_account *account, struct segment *segment, uint64_t most_paid_ns)
{
    uint64_t now = paid(account), level = smaller(required(segment), most_paid_ns);
    if (now >= level)
        return 0;
    set_paid(account, level);
    audit(&segment->credited_wake_ns, level - now);
    return level - now;
}

void ledger_meet(struct ledger_account *account, uint64_t most_paid_ns)
{
    if (paid(account) > most_paid_ns)
        set_paid(account, most_paid_ns);
}

uint64_t ledger_credit_runqueue(struct ledger_account *account, struct segment *segment, uint64_t growth_ns,
                                uint64_t queued_ns)
{
    uint64_t now = paid(account), level = required(segment);
    if (now >= level)
        return 0;
    uint64_t credit = smaller(smaller(growth_ns, queued_ns), level - now);
    set_paid(account, now + credit);
    audit(&segment->credited_runqueue_ns, credit);
    return credit;
}
