/* Paying what the ledger says: pausing for what the run queue (runqueue.h) does not excuse.
 *
 * All functions are for the calling thread, inside its guard or in its handler; all are async-signal-safe and
 * keep errno. */
#pragma once

#include "runtime/runqueue.h"
#include "runtime/thread.h"

enum { PAUSE_WORTH_SLEEPING_NS = 20000 }; /* less is paid on the core, whoever owes it */

/* Pauses on the core (the thread spins) for the debt as it is now, of which there must be some, and marks.
 * The time since `since` counts as paid already: settling takes a few microseconds that nobody would spend if
 * nothing were owed. What is emulated is that all cores stand still while the target runs: asleep the thread
 * would give its core away to other threads. Returns the moment of its end. */
struct instant pause_for_debt(struct thread *thread, struct instant since);

/* Pauses until there is no debt, what arises meanwhile included. Asleep: the thread was blocked on the
 * outside, and in virtual time is still, until it is level: it holds no core, and pays asleep. Were that paid
 * on the core, a thread that merely sleeps and wakes would hold a core for as long as it pays, while those
 * that need the core wait for it at their own expense. */
struct instant pause_until_level(struct thread *thread, bool asleep, struct instant since);

/* What ended at `now` ran in_target_ns in the target (0: nothing of it): credits, steps or slows the thread
 * down, and pauses until there is no debt. Returns the moment when the thread was level. The CPU time it took
 * is not the program's: it is left out of the next sample. */
struct instant pause_settle(struct thread *thread, uint64_t in_target_ns, struct instant now);

/* The same without levelling: what the experiment makes of in_target_ns. */
struct instant pause_apply_target(struct thread *thread, uint64_t in_target_ns, struct instant now);

/* Pauses for ns without any ledger: a slowdown of the thread's own work. Returns the moment of its end. */
struct instant pause_slowdown(uint64_t ns, struct instant since);

/* What our own work cost that began then, on the wall clock, and of which so much was a pause: 0 when it took
 * so long that the core must have been somebody else's. */
uint64_t pause_cost_ns(uint64_t began_ns, uint64_t paused_ns);

/* What ended now took ns of the thread's CPU time, and was ours, not the program's: as if it had taken no
 * time, in virtual time, at any speedup. All other threads owe it, as if it were a target at full speedup. */
void pause_own_cost(struct thread *thread, uint64_t ns);
