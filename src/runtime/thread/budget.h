/* How often a thread is settled at its hooks. Settling takes half a microsecond, as long as ten locks that
 * nobody holds. A thread that calls hooks all the time passes as many of them as lets it settle every 10 to
 * 20 us, which is how fine ramps are. One that owes more is settled at once, and one that waits, at each hook
 * again.
 *
 * For the calling thread; async-signal-safe. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { BUDGET_SELDOM_NS = 20000 }; /* who owes more, or was not settled for so long, passes fewer hooks */

struct budget {
    uint64_t settled_ns;    /* when the thread was settled last, on the wall clock */
    uint32_t between, left; /* so many hooks pass without; so many of them are still to come */
    uint64_t cost_ns;       /* what settling has cost, and nobody owes yet */
};

/* The thread is about to be settled at a hook: how many pass after it. */
void budget_choose(struct budget *budget, uint64_t now_ns);

/* The next hook settles the thread, however often it calls them; for threads that do something else than
 * before, or whose balance somebody is about to look at. */
static inline void budget_pass_none(struct budget *budget)
{
    budget->between = budget->left = 0;
}

/* The same, at a sample, when no hook has settled the thread for so long that it must be doing something
 * else. */
void budget_sampled(struct budget *budget, uint64_t now_ns);

/* What settling costs, and holding a sampler around a wait, is no part of virtual time. Each time it is told,
 * all others have something to settle, so it is told in lumps. */
static inline bool budget_is_worth_telling(const struct budget *budget)
{
    enum { WORTH_TELLING_NS = 20000 };
    return budget->cost_ns >= WORTH_TELLING_NS;
}
