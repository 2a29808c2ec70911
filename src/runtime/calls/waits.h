/* The wait that the calling thread is in, or was: what it adds to the totals of its class and place
 * (shared/waits.h), who ended it, and by how much it is shortened when it is the target. docs/design/waits.md has
 * the model.
 *
 * All functions are for the calling thread; async-signal-safe; errno is not kept. */
#pragma once

#include "runtime/ledger/handover.h"
#include "runtime/thread/thread.h"

/* Calls on descriptors return at once where there is nothing to wait for, and may copy for long: what they compute is
 * no wait. */
static inline bool wait_may_compute(enum wait_class class)
{
    return class == WAIT_READ || class == WAIT_WRITE || class == WAIT_POLL;
}

/* When a wait of the calling thread began, on the wall clock, by struct wait's two. */
uint64_t wait_began_ns(uint64_t began_ns, uint64_t began_ticks);

/* The thread begins to wait, in thread->wait, whose window, speedup and site are filled in. */
void waits_begin(struct thread *thread);

/* By how much the wait that ended at now_ns was shorter in virtual time; below 0: longer. by_peer: a thread of
 * the tree ended it. Adds it to the totals; share: for how many it speaks there (ledger/short_waits.h), 0: for none. */
int64_t waits_end(struct thread *thread, bool by_peer, uint32_t share, uint64_t now_ns);

/* All that is told of a wait that another one speaks for: that it was, and when it ended. */
void waits_pass(struct thread *thread, uint64_t now_ns);

/* When a peer ended the wait, which was over at now_ns, and what was required then. False: that is not known. */
bool waits_find_handover(const struct thread *thread, uint64_t now_ns, struct handover *found);

/* The wait was shortened: whoever ended it by what came through the kernel has done so sooner, too. */
void waits_lift_waker(const struct thread *thread, uint64_t now_ns);

/* Whoever waits for the same object goes on when the last one has begun to. */
void waits_note_arrival(struct thread *thread);

/* The thread is about to wake whoever waits for the object, by a call made from `at`. */
void waits_note_wake(struct thread *thread, const void *object, uintptr_t at);
