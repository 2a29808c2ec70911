/* Paying what the ledger says: pausing for what the run queue (runqueue.h) does not excuse.
 *
 * All functions are for the calling thread, inside its guard or in its handler; all are async-signal-safe and
 * keep errno. */
#pragma once

#include "runtime/ledger/runqueue.h"

enum {
    PAUSE_WORTH_SLEEPING_NS = 20000,   /* less is paid on the core, whoever owes it */
    PAUSE_LONGEST_SLEEP_NS = 50000000, /* in pieces, so that a dead controller is noticed */
};

/* Pauses on the core (the thread spins) for the debt as it is now, of which there must be some, and marks.
 * The time since `since` counts as paid already: settling takes a few microseconds that nobody would spend if
 * nothing were owed. What is emulated is that all cores stand still while the target runs: asleep the thread
 * would give its core away to other threads. Returns the moment of its end. */
struct instant pause_for_debt(struct account *account, struct instant since);

/* Pauses until there is no debt, what arises meanwhile included. Asleep: the thread was blocked on the
 * outside, and in virtual time is still, until it is level: it holds no core, and pays asleep. Were that paid
 * on the core, a thread that merely sleeps and wakes would hold a core for as long as it pays, while those
 * that need the core wait for it at their own expense. */
struct instant pause_until_level(struct account *account, bool asleep, struct instant since);

/* What ended at `now` ran in_target_ns in the target (0: nothing of it): steps or slows the thread down,
 * which may leave it with a debt. Credit comes before that, which the step would swallow otherwise. Returns
 * the moment of its end. */
struct instant pause_apply_target(struct account *account, uint64_t in_target_ns, struct instant now);

/* A wait ended now that was shorter in virtual time: the thread's balance becomes to_ns at least, and others owe
 * what that is more than `required`. */
void pause_get_ahead(struct account *account, uint64_t to_ns, struct instant now);

/* A wait is made longer, by so much: the thread sleeps, and the others owe nothing. */
void pause_lengthen_wait(uint64_t ns);

/* What ended now took ns of the thread's CPU time, and was ours, not the program's: as if it had taken no
 * time, in virtual time, at any speedup. All other threads owe it, as if it were a target at full speedup. */
void pause_own_cost(struct account *account, uint64_t ns);
