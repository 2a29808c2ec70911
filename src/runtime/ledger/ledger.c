#include "runtime/ledger/ledger.h"

static uint64_t read_paid(const struct balance *balance)
{
    return atomic_load_explicit(balance->paid_ns, memory_order_relaxed);
}

/* False when a handler of the program's, whose hooks change the balance as well, came since *before was read:
 * then *before is read anew. */
static bool change_paid(struct balance *balance, uint64_t *before, uint64_t ns)
{
    return atomic_compare_exchange_weak_explicit(balance->paid_ns, before, ns, memory_order_relaxed,
                                                 memory_order_relaxed);
}

static uint64_t read_required(const struct segment *segment)
{
    return atomic_load_explicit(&segment->due.required_ns, memory_order_relaxed);
}

/* All threads write there: not for nothing. */
static void audit_add(_Atomic uint64_t *total, uint64_t ns)
{
    if (ns)
        atomic_fetch_add_explicit(total, ns, memory_order_relaxed);
}

static uint64_t smaller_of(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

uint64_t ledger_behind(const struct balance *balance, const struct segment *segment)
{
    uint64_t now = read_paid(balance), level = read_required(segment);
    return level > now ? level - now : 0;
}

uint64_t ledger_debt(const struct balance *balance, const struct segment *segment)
{
    uint64_t behind = ledger_behind(balance, segment);
    uint64_t overshoot = atomic_load_explicit(&balance->overshoot_ns, memory_order_relaxed);
    return behind > overshoot ? behind - overshoot : 0;
}

void ledger_paused(struct balance *balance, struct segment *segment, uint64_t ns)
{
    uint64_t have = ns + atomic_exchange_explicit(&balance->overshoot_ns, 0, memory_order_relaxed);
    uint64_t now = read_paid(balance), used;
    do {
        uint64_t level = read_required(segment);
        used = smaller_of(have, level - smaller_of(now, level));
    } while (!change_paid(balance, &now, now + used));
    atomic_fetch_add_explicit(&balance->overshoot_ns, have - used, memory_order_relaxed);
    audit_add(&segment->paused_ns, ns);
}

void ledger_step(struct balance *balance, struct segment *segment, uint64_t ns)
{
    uint64_t ahead = atomic_fetch_add_explicit(balance->paid_ns, ns, memory_order_relaxed) + ns;
    audit_add(&segment->own_steps_ns, ns);
    uint64_t before = read_required(segment);
    while (before < ahead &&
           !atomic_compare_exchange_weak_explicit(&segment->due.required_ns, &before, ahead,
                                                  memory_order_acq_rel, memory_order_relaxed))
        ;
}

uint64_t ledger_credit_wake(struct balance *balance, struct segment *segment, uint64_t most_paid_ns)
{
    uint64_t now = read_paid(balance), level;
    do {
        level = smaller_of(read_required(segment), most_paid_ns);
        if (now >= level)
            return 0;
    } while (!change_paid(balance, &now, level));
    audit_add(&segment->credited_wake_ns, level - now);
    return level - now;
}

void ledger_lift(struct balance *balance, struct segment *segment, uint64_t to_ns)
{
    ledger_credit_wake(balance, segment, to_ns);
}

void ledger_meet(struct balance *balance, uint64_t most_paid_ns)
{
    uint64_t now = read_paid(balance);
    while (now > most_paid_ns && !change_paid(balance, &now, most_paid_ns))
        ;
}

uint64_t ledger_credit_runqueue(struct balance *balance, struct segment *segment, uint64_t growth_ns,
                                uint64_t queued_ns)
{
    uint64_t now = read_paid(balance), credit;
    do {
        uint64_t level = read_required(segment);
        if (now >= level)
            return 0;
        credit = smaller_of(smaller_of(growth_ns, queued_ns), level - now);
    } while (!change_paid(balance, &now, now + credit));
    audit_add(&balance->credited_runqueue_ns, credit);
    audit_add(&segment->credited_runqueue_ns, credit);
    return credit;
}
