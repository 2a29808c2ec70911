/* How long a thread stood in the run queue, as the scheduler tells it (0.7 us a question).
 *
 * For the calling thread, inside its guard or in its handler; async-signal-safe; errno is not kept. */
#pragma once

#include "runtime/clock/instant.h"

#include <stdbool.h>

/* Zeros when the system does not tell. */
struct scheduled queued_ask(struct presence *presence);

/* Whether the system tells, as far as is known. */
bool queued_is_told(const struct presence *presence);

/* How much of away_ns, which ended at until_ns, the thread stood in the run queue. Each wait is counted in
 * one answer only. */
uint64_t queued_take(struct presence *presence, struct scheduled told, uint64_t away_ns, uint64_t until_ns);

/* Whether the thread was blocked since the last question, and not only in the run queue. A thread whose core
 * was stolen by the host was not switched from, so it does not count. */
bool queued_was_blocked(const struct presence *presence, struct scheduled told);

/* Whether the thread has left its core, blocked or not, since this was last asked. True when the system does not tell. */
bool queued_left_core(struct presence *presence);
