/* What threads waited for in the runs of a profile, and who ended it: fed with records as they come. No I/O. */
#pragma once

#include "profile/record.h"

#include <stddef.h>

enum { WAKES_OF_A_WAIT = 8 }; /* that are told, the largest */

/* From where waits of one place were ended. */
struct waiting_wake {
    const char *by; /* owned by the sums */
    long after;     /* the wait in which that thread was meanwhile (waiting_after()); -1: none */
    uint64_t count, time_ns;
};

/* The waits of one class at one place. */
struct waiting_wait {
    const char *class, *place; /* owned by the sums; place: "" when nothing is in scope there */
    uint64_t count, time_ns;
    struct waiting_wake *wakes; /* owned; the longest first */
    size_t wake_count, wake_capacity;
};

struct waiting;

struct waiting *waiting_new(void); /* NULL when memory is out */
void waiting_free(struct waiting *waiting);
int waiting_add(struct waiting *waiting, const struct profile_record *record); /* 0 or -ENOMEM */

/* The longest first. Valid until the next record. */
size_t waiting_waits(struct waiting *waiting, const struct waiting_wait **waits);

/* How long all threads together lived, were on a core, and were ready but without one (at the ends of waits, too),
 * in the runs that tell; 0: none does. */
uint64_t waiting_lived_ns(const struct waiting *waiting);
uint64_t waiting_cpu_ns(const struct waiting *waiting);
uint64_t waiting_queued_ns(const struct waiting *waiting);

/* Which waits the threads of a location were in (awaits.h), by their numbers; and the wait of such a number. */
struct awaits;
const struct awaits *waiting_awaits(const struct waiting *waiting);
const struct waiting_wait *waiting_numbered(const struct waiting *waiting, long number);

/* Where the wait is now that a wake's `after` names; NULL for -1. */
const struct waiting_wait *waiting_after(const struct waiting *waiting, const struct waiting_wake *wake);

/* Who waits for whom, from that wait on: indices of waits, each ended most by somebody who was in the next one
 * meanwhile. Returns how many there are, this one included, at most `most`. To be called after
 * waiting_waits(). */
size_t waiting_chain(const struct waiting *waiting, size_t from, size_t *chain, size_t most);
