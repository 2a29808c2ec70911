#include "runtime/thread/budget.h"

#include "base/clock.h"

enum {
    SETTLE_OFTEN_NS = 10000,
    SETTLE_STALE_NS = 100000, /* it does something else than before */
    MOST_BETWEEN = 255,
};

static bool is_stale(const struct budget *budget, uint64_t now_ns)
{
    return clock_passed_ns(budget->settled_ns, now_ns) > SETTLE_STALE_NS;
}

void budget_choose(struct budget *budget, uint64_t now_ns)
{
    uint64_t since_ns = clock_passed_ns(budget->settled_ns, now_ns);
    uint32_t between = budget->between;
    if (since_ns < SETTLE_OFTEN_NS)
        between = between * 2 + 1 < MOST_BETWEEN ? between * 2 + 1 : MOST_BETWEEN;
    else if (is_stale(budget, now_ns))
        between = 0;
    else if (since_ns > BUDGET_SELDOM_NS)
        between /= 2;
    budget->between = budget->left = between;
}

void budget_sampled(struct budget *budget, uint64_t now_ns)
{
    if (is_stale(budget, now_ns))
        budget_pass_none(budget);
}
