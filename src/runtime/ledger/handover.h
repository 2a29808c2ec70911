/* When what threads wait for was handed on, and what the required delay was then. Who is woken goes on from the
 * waker's moment in virtual time. How long it takes from there until it runs, for a core that sleeps has to wake
 * first, is like a device's time: what becomes due meanwhile is owed, but for what the thread stands in the run
 * queue.
 *
 * Objects are known within a process, by their address, and bytes in the whole tree. Where several threads wait, the
 * latest time counts, which is no earlier than the own. Lock free; for any thread, inside its guard or in its
 * handler; async-signal-safe. */
#pragma once

#include "shared/layout.h"

#include <stdbool.h>

struct handover {
    uint64_t ns;          /* CLOCK_MONOTONIC; 0: never */
    uint64_t required_ns; /* what the waker had paid of the required delay then, with what it had not told */
};

/* The calling thread is about to wake whoever waits for the object, or may go on when the last one has come.
 * untold_ns: what its hooks have cost and nobody owes yet, less what it owes itself where it is settled afterwards. */
void handover_note(const void *object, int64_t untold_ns);

/* The same for whoever waits for bytes or a connection; `slot` is the calling thread's. */
void handover_note_bytes(struct segment_thread *slot, int64_t untold_ns);

/* When the object was last handed on. False: not since that moment, or that is not known any more. */
bool handover_find(const void *object, uint64_t since_ns, struct handover *found);

/* When a thread other than the slot's last wrote or connected between the two moments. False: that is not known. */
bool handover_find_bytes(const struct segment_thread *own, uint64_t since_ns, uint64_t until_ns,
                         struct handover *found);
