/* Threads that share a core are to have as much of its virtual time as the kernel would give them in the faster program.
 *
 * The kernel hands a core around by real time, of which a thread in the target does less in virtual time than its
 * neighbours do: of a turn T, (1 - s) T. So who shares a core with the target gets ahead, and gives the core away again
 * and again (sched_yield), until it has had no more of the core than this:
 *
 *     Of a core, the thread has had R while others wanted it, and waited for Q. It did a part h of R in virtual time, its
 *     n neighbours a part t of theirs. All have the same virtual time when it has had R' of R + Q, the others R'' each:
 *         R' h = R'' t,  R' + n R'' = R + Q,  so  R' = (R + Q) t / (n h + t).
 *     Where the kernel weighs them differently (nice), h and t are divided by what it weighs them by.
 *     R is not known by itself: the thread had the core alone, too. While it has the core n threads wait for it, and in
 *     Q n - 1 of them do. So they wait for n R + (n - 1) Q in all, which gives R.
 *
 * In virtual time nothing but who runs when is changed by that: it waits in the run queue, and is credited. */
#pragma once

#include "runtime/ledger/account.h"

/* How much more of the core the thread had than R'; negative: less. */
double core_share_surplus_ns(const struct core_turns *turns);

/* Gives the core away if the thread has had too much of it. Returns for how long it had none; it is to be credited with
 * that. For the calling thread, in its handler, when it has paid; async-signal-safe; keeps errno. */
uint64_t core_share_even(struct account *account, struct instant now);
