/* What threads have logged (thread.h), and when the target was on by that. For one thread at a time; the threads that log
 * go on meanwhile. */
#pragma once

#include "regions/marks/thread.h"

/* What the thread has logged, and where it is, at one moment. Who takes no part in that watch is where it was when it
 * began. */
void spans_look(struct region_thread *thread, uint32_t watch, uint64_t since);

/* When the target was on within `whole`: spans that are apart and in order, and good until the next call. Returns how
 * many; 0 when there is no memory. All threads were looked at. */
size_t spans_find_on(struct region_thread *first, const struct span *whole, const struct span **spans);

/* How many ticks of these the thread was elsewhere, within `whole`. */
uint64_t spans_shared(const struct span *on, size_t count, const struct region_thread *thread,
                      const struct span *whole);

/* What the thread has logged until then is not needed any more. */
void spans_drop(struct region_thread *thread, uint64_t until);
