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

/* How much of away_ns, which ended at until_ns, the thread stood in the run queue, by what it was told
 * afterwards. Each wait is told once. */
uint64_t queued_take(struct presence *presence, struct scheduled told, uint64_t away_ns, uint64_t until_ns);

/* Whether it was blocked since it was last told, and not only in the run queue: it was switched from, which a
 * thread is not when only its core's time was stolen. */
bool queued_was_blocked(const struct presence *presence, struct scheduled told);
