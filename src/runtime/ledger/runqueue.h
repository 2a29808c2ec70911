/* Where a thread was when it did not run. What `required` grew by while it stood in the run queue was taken
 * by others on the core that it waited for, and is credited; what it grew by while the thread was blocked is
 * owed.
 *
 * All functions are for the calling thread, inside its guard or in its handler; all are async-signal-safe and
 * keep errno. They ask the scheduler only when the thread was off its core (0.7 us). */
#pragma once

#include "runtime/ledger/account.h"

#include <stdbool.h>

/* The thread is settled as of `now`: debt that arises later is weighed against the time from here. */
void runqueue_mark(struct account *account, struct instant now);

/* The thread was blocked for so long since, and is level: a debt that arises later is none of that time's. */
static inline void runqueue_skip(struct account *account, uint64_t blocked_ns)
{
    account->mark.wall_ns += blocked_ns;
}

/* The thread waited, in the run queue or for a peer, and was credited with so much for that. What is noticed
 * later of how `required` grew in that time is credited at a settlement soon after. */
void runqueue_was_absent(struct account *account, struct absence absence);

/* Takes off the debt what `required` grew by while the thread stood in the run queue or was absent, and then
 * what it has paused too long before; marks, if there was anything to take it off. Returns true when the
 * thread has, since it was last settled, mostly been blocked outside the tree: such a debt is paid asleep,
 * because in virtual time the thread would still be blocked and hold no core. */
bool runqueue_credit(struct account *account, struct instant now);

/* Takes what others have lifted the balance to (ledger_lift). */
void runqueue_take_lift(struct account *account);

/* Takes off what `required` grew by in a wait of queued_ns in the run queue that has just ended. */
void runqueue_credit_back(struct account *account, uint64_t queued_ns, struct instant now);

/* The thread stood in the run queue for queued_ns at the end of a time in which it was blocked on the outside. In virtual
 * time it is blocked until it owes nothing, and only then stands there: so that was a pause, as far as it owes something. */
void runqueue_pay(struct account *account, uint64_t queued_ns);

/* It was blocked so for blocked_ns, the run queue included, and was level before; marks. */
void runqueue_woke(struct account *account, uint64_t blocked_ns, struct instant now);

/* The thread was absent until it was woken, and runs since `now`: takes off what `required` grew by in between, for the
 * part of that in which it stood in the run queue, and lets the absence be as much longer. Where it stood there most of
 * the time, the rest was no wait for a core that sleeps either, and all of it counts. */
void runqueue_credit_lag(struct account *account, struct absence *absence, struct instant now);

/* The same for a thread that begins: it stood in the run queue since it was made, and when it was put behind
 * the target on a core, it would have had to wait for less. */
void runqueue_credit_start(struct account *account, struct instant now);

/* Whether the thread has left its core since this was last asked. True when the system does not tell. */
bool runqueue_left_core(struct account *account);

/* Adds to the totals what the thread stood in the run queue since it was last counted; once in ten milliseconds. */
void runqueue_count(struct account *account, uint64_t now_ns);

/* How much of step_ns between two looks at the clock, of which that was the later one, the thread stood in
 * the run queue; `otherwise`, when the system does not tell. It is told once. */
uint64_t runqueue_in_step(struct account *account, uint64_t step_ns, uint64_t now_ns, uint64_t otherwise_ns);
