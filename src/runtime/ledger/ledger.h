/* The ledger of virtual time, as arithmetic: no clock, no pause, no system call. Each thread has a virtual
 * clock, real time minus the delay it has paid. `required` is what every thread must have paid; a thread is
 * level when its `paid` equals it. docs/design/ledger.md has the rules and why they hold.
 *
 * A balance belongs to one thread; only that thread calls these. The caller keeps the handler of samples out
 * (thread.h's guard). The program's own handlers may come in the middle, and call hooks that change the
 * balance: so each change is made in one step, from what the balance then is. */
#pragma once

#include "shared/layout.h"

struct balance {
    _Atomic uint64_t *paid_ns; /* in the segment, so that the controller can see who owes */
    /* Paused longer than owed: taken off the next pause, never added to `required`. */
    _Atomic uint64_t overshoot_ns;
    _Atomic uint64_t credited_runqueue_ns; /* ever, by ledger_credit_runqueue() */
};

/* What the thread has not paid yet: credit, or what it paused too long before, may make up for it. */
uint64_t ledger_behind(const struct balance *balance, const struct segment *segment);

/* What the thread still has to pause. */
uint64_t ledger_debt(const struct balance *balance, const struct segment *segment);

/* The thread has paused for ns. */
void ledger_paused(struct balance *balance, struct segment *segment, uint64_t ns);

/* A sample of CPU time fell in the target: the thread is ahead by ns = speedup * time, and the others owe it.
 */
void ledger_step(struct balance *balance, struct segment *segment, uint64_t ns);

/* Woken by a peer that was level: the delay has already happened to this thread. But its virtual clock never
 * goes back: the balance gets no larger than most_paid_ns, what it was before the wait plus the length of the
 * wait. The rest is owed: in virtual time the peer was there first, and the thread did not wait for it.
 * Returns what it was credited with. */
uint64_t ledger_credit_wake(struct balance *balance, struct segment *segment, uint64_t most_paid_ns);

/* The thread meets another whose virtual clock may be ahead of its own: its balance becomes at most
 * most_paid_ns. What is taken off it is owed again. */
void ledger_meet(struct balance *balance, uint64_t most_paid_ns);

/* What the thread did was done sooner than it seemed, for a wait that it ended was shortened: its balance becomes
 * to_ns at least, but no more than `required`. */
void ledger_lift(struct balance *balance, struct segment *segment, uint64_t to_ns);

/* `required` grew by `growth_ns` while the thread stood in the run queue for queued_ns: the core it waited
 * for was used, or held idle, by a thread that paid. Returns what it was credited with. */
uint64_t ledger_credit_runqueue(struct balance *balance, struct segment *segment, uint64_t growth_ns,
                                uint64_t queued_ns);
