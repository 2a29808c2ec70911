/* How often a thread is settled at its hooks. Settling takes half a microsecond, as long as ten locks that
 * nobody holds. A thread that calls hooks all the time passes as many of them as lets it settle every 10 to
 * 20 us, which is how fine ramps are. One that owes more is settled at once, and one that waits, at each hook
 * again; so is one that was not settled for 100 us. Who had to wait for a lock, and for a moment only, is settled at
 * the next hook, and passes as many as before.
 *
 * Calls that might wait for the outside pass as well, of a thread whose last ones returned at once: should it sleep in
 * one after all, it owes the same when that is over.
 *
 * Who calls hooks all the time pays at hooks only, and not in its samples, and not before it gives a lock back that
 * nobody waits for yet: paid with the lock in hand, each pause would have others wait for it who natively find it free,
 * and fall asleep. Not so who calls two and then runs for long: what its samples left would wait for all of that.
 *
 * Which hooks pass must not depend on samples. Two calls may follow each other at once and the third after
 * long work: were that one passed unless a sample fell into the work, stretches (stretch.h) with samples of
 * the work would end there and all others later, and what is learnt of them would be wrong for both. Nor may
 * the time that a sample takes bring the next settlement nearer.
 *
 * For the calling thread; async-signal-safe. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum {
    BUDGET_SELDOM_NS = 20000, /* who owes more passes no hook, */
    BUDGET_STALE_NS = 100000, /* nor who was not settled for so long: it does something else than before */
    BUDGET_OFTEN = 4,         /* who passes so many hooks calls them all the time */
    BUDGET_AT_ONCE = 4,       /* after so many calls that returned at once, the next one does, too */
};

struct budget {
    uint64_t settled_ns;    /* when the thread was settled last, on the wall clock */
    uint64_t settled_ticks; /* the same in the processor's ticks (ticks.h) */
    uint64_t stale_ticks;   /* BUDGET_STALE_NS in ticks; 0: not known yet */
    uint32_t between, left; /* so many hooks pass without; so many of them are still to come */
    uint64_t cost_ns;       /* what settling has cost, and nobody owes yet */
    uint32_t at_once; /* so many calls in a row returned at once that might have waited for the outside */
};

/* The process begins, as of these two, which were read one right after the other. Only the first time counts. */
void budget_begin(uint64_t now_ns, uint64_t now_ticks);

/* BUDGET_STALE_NS in ticks, by how both have gone on since; 0: it is too soon to tell. */
uint64_t budget_stale_ticks(uint64_t now_ns, uint64_t now_ticks);

/* The thread is about to be settled at a hook: how many pass after it. */
void budget_choose(struct budget *budget, uint64_t now_ns);

/* The thread is settled, as of these two, which were read one right after the other. */
void budget_settled(struct budget *budget, uint64_t now_ns, uint64_t now_ticks);

/* So long in the processor's ticks; 0: their rate is not known yet. */
static inline uint64_t budget_ticks(const struct budget *budget, uint64_t ns)
{
    return (uint64_t)((double)ns * (double)budget->stale_ticks / BUDGET_STALE_NS);
}

/* So long was the runtime's, and not the program's. */
void budget_skip(struct budget *budget, uint64_t ns);

/* Whether the hook that is called now passes. */
static inline bool budget_passes(struct budget *budget, uint64_t now_ticks)
{
    if (now_ticks - budget->settled_ticks > budget->stale_ticks)
        return false;
    budget->left--;
    return true;
}

/* The next hook settles the thread, however often it calls them: it waits, or its balance is about to be
 * read. */
static inline void budget_pass_none(struct budget *budget)
{
    budget->between = budget->left = 0;
}

/* The next hook settles the thread, and then as many pass as before: it has waited for a moment only. */
static inline void budget_settle_next(struct budget *budget)
{
    budget->left = 0;
}

/* A call that might have waited for the outside is over. */
static inline void budget_note_call(struct budget *budget, bool returned_at_once)
{
    if (!returned_at_once)
        budget->at_once = 0;
    else if (budget->at_once < BUDGET_AT_ONCE)
        budget->at_once++;
}

/* Whether the next such call will return at once, as far as can be told. */
static inline bool budget_returns_at_once(const struct budget *budget)
{
    return budget->at_once >= BUDGET_AT_ONCE;
}

static inline bool budget_calls_often(const struct budget *budget)
{
    return budget->between >= BUDGET_OFTEN;
}

/* Whether one of the next hooks is about to settle the thread, which calls them all the time. */
static inline bool budget_settles_soon(const struct budget *budget, uint64_t now_ns)
{
    return budget_calls_often(budget) && now_ns - budget->settled_ns < (uint64_t)2 * BUDGET_SELDOM_NS;
}

/* What settling costs, and holding a sampler around a wait, is no part of virtual time. Each time it is told,
 * all others have something to settle, so it is told in lumps. */
static inline bool budget_is_worth_telling(const struct budget *budget)
{
    enum { WORTH_TELLING_NS = 20000 };
    return budget->cost_ns >= WORTH_TELLING_NS;
}
