/* How long a program needs to come to rest after a change of speed. Queues fill or drain first, and while
 * they do, a line pays more, or less, than it will. So the first part of each window is not used; how long it
 * must be, the used parts themselves tell: while their first halves differ from their second ones, the
 * program had not come to rest.
 *
 * A queue that drains slowly, because the sped-up line is only just no longer what bounds the program, looks
 * alike in both halves of a short window: it is never at rest in it. Long windows, now and then, see it. As
 * it is the speedup that decides which line bounds, they are compared for each speedup by itself. Pure
 * arithmetic. */
#pragma once

#include "shared/layout.h"

enum { SETTLING_KINDS = 512 };

/* Differences between halves (log of time per visit) of one kind of sped-up windows. */
struct settling_kind {
    uint32_t site;
    int permille; /* 0: short windows, of all speedups */
    uint32_t windows;
    double sum, squares;
};

struct settling {
    uint64_t time_ns; /* to let pass before a window is used */
    struct settling_kind kinds[SETTLING_KINDS];
};

void settling_begin(struct settling *settling);

/* A sped-up window of the site: its halves took halves[0] and halves[1], as logs of time per visit. Returns
 * true when that made the settling time longer: earlier windows then said something else than what is asked.
 */
bool settling_note(struct settling *settling, uint32_t site, int permille, bool is_long,
                   const double halves[2]);
