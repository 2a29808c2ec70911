/* Ramps: what a thread is just running in the target, told to the others while it runs. Its step comes at the
 * end of its stretch (stretch.h), but whoever sends, gives back or arrives meanwhile must have paid for it by
 * then, or will be too early in virtual time. So the thread publishes how fast it gets ahead, and others fold
 * that into `required` as far as the owner's own CPU clock has come; the owner's step catches up with it.
 *
 * All functions are for the calling thread, inside its guard or in its handler; all are async-signal-safe and
 * keep errno. */
#pragma once

#include "runtime/ledger/account.h"

#include <stdbool.h>

static inline bool ramps_are_up(void)
{
    return atomic_load_explicit(&runtime_segment->due.ramps, memory_order_relaxed) != 0;
}

/* From `since` on the thread gets ahead by rate (0..1) of its CPU time. 0: it does not. */
void ramp_publish(struct account *account, double rate, struct instant since);

/* From now on the thread gets ahead by rate (0..1) of the wall clock, for it waits, as long as `target` is the
 * target, and the window `window`. */
void ramp_publish_wait(struct account *account, double rate, uint64_t now_ns, segment_target target,
                       uint32_t window);

/* Nobody folds what the thread published until it publishes again: what it does meanwhile is ours, not the
 * program's. */
void ramp_hold(struct account *account);

/* It gets ahead no longer, for now: it pauses, or waits. */
void ramp_hide(struct account *account);

/* The thread ends, or is about to become another program. */
void ramp_end(struct account *account);

/* Raises `required` to where the other threads' ramps stand. A system call for each ramp, but not more often
 * than every 20 us. */
void ramps_fold(struct account *account);
