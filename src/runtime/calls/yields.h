/* What giving the core away means to the ledger.
 *
 * Mostly nobody else is ready for the core, and the call is back at once: then nothing has happened. Otherwise the
 * thread stood in the run queue, and it is known exactly when: what others of the tree made due meanwhile has
 * happened to it, too. Were it not said here, such turns would be found out later, together with others, and nobody
 * would know when they were: threads that give way at each round paid a third too much.
 *
 * Who does nothing but give its core away, again and again, waits for a peer, though it runs. It is credited as if
 * it were blocked.
 *
 * Nothing is settled: a program may give way some times before it waits in earnest, as C++'s atomic wait does, and
 * a settlement takes longer than all of these. Where threads work in between, settling them there made short stretches
 * of long ones, and answers worse. */
#pragma once

#include "runtime/ledger/account.h"

/* Around a call of sched_yield(), by the calling thread, not in handlers of ours. Samples that fire while the thread is off its core are heard of when the call returns, and are no samples of that place
 * (thread/sample.c). */
struct turn yield_begins(void);
void yield_is_over(struct turn turn);
