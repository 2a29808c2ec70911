#include "runtime/thread/budget.h"

#include "base/clock.h"

#include <stdatomic.h>

enum {
    SETTLE_OFTEN_NS = 10000,
    MOST_BETWEEN = 255,
    RATE_KNOWN_NS = 1000000, /* over which the rate of ticks is known well enough */
};

/* By budget_begin(); 0: not yet. */
static _Atomic uint64_t first_ns, first_ticks;

void budget_begin(uint64_t now_ns, uint64_t now_ticks)
{
    uint64_t none = 0;
    if (atomic_load_explicit(&first_ns, memory_order_relaxed) == 0 &&
        atomic_compare_exchange_strong(&first_ticks, &none, now_ticks))
        atomic_store_explicit(&first_ns, now_ns, memory_order_release);
}

uint64_t budget_stale_ticks(uint64_t now_ns, uint64_t now_ticks)
{
    uint64_t began_ns = atomic_load_explicit(&first_ns, memory_order_acquire);
    uint64_t ns = clock_passed_ns(began_ns, now_ns);
    uint64_t ticks = now_ticks - atomic_load_explicit(&first_ticks, memory_order_relaxed);
    if (!began_ns || ns < RATE_KNOWN_NS)
        return 0;
    return (uint64_t)(BUDGET_STALE_NS * ((double)ticks / (double)ns));
}

void budget_choose(struct budget *budget, uint64_t now_ns)
{
    uint64_t since_ns = clock_passed_ns(budget->settled_ns, now_ns);
    uint32_t between = budget->between;
    if (since_ns < SETTLE_OFTEN_NS)
        between = between * 2 + 1 < MOST_BETWEEN ? between * 2 + 1 : MOST_BETWEEN;
    else if (since_ns > BUDGET_STALE_NS)
        between = 0;
    else if (since_ns > BUDGET_SELDOM_NS)
        between /= 2;
    budget->between = budget->left = between;
    if (between)
        budget->stale_ticks = budget_stale_ticks(budget->settled_ns, budget->settled_ticks);
}

void budget_settled(struct budget *budget, uint64_t now_ns, uint64_t now_ticks)
{
    budget->settled_ns = now_ns;
    budget->settled_ticks = now_ticks;
}

void budget_skip(struct budget *budget, uint64_t ns)
{
    budget->settled_ns += ns;
    budget->settled_ticks += budget_ticks(budget, ns);
}
