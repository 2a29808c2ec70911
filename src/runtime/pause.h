/* Paying what the ledger says: crediting what was no debt of ours, and pausing for the rest.
 *
 * All functions are for the calling thread, inside its guard or in its handler; all are async-signal-safe and
 * keep errno. */
#pragma once

#include "runtime/thread.h"

/* Notes that the thread is settled now: debt that arises later is weighed against the time from here. */
void pause_mark(struct thread *thread);

/* Takes off the debt what `required` grew by while the thread stood in the run queue. Returns true when the
 * thread has, since it was last settled, mostly been blocked outside the tree: such a debt is paid asleep,
 * because in virtual time the thread would still be blocked and hold no core. Call pause_for_debt() next. */
bool pause_credit(struct thread *thread);

/* Pauses for the debt as it is now, and marks. A debt from running is paid on the core (the thread spins),
 * because what is emulated is that all cores stand still while the target runs: asleep it would give its core
 * away to other threads. */
void pause_for_debt(struct thread *thread, bool asleep);

/* Credits and pauses until there is no debt. Returns the wall clock when the thread was level. */
uint64_t pause_until_level(struct thread *thread);

/* Pauses for ns without any ledger: a slowdown of the thread's own work. */
void pause_spin(struct thread *thread, uint64_t ns);
