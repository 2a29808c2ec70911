/* How long a program needs to come to rest after a change of speed. Queues fill or drain first, and while
 * they do, a line pays more, or less, than it will. So the first part of each window is not used; how long it
 * must be, the used parts themselves tell: while their first halves differ from their second ones, the
 * program had not come to rest. Pure arithmetic. */
#pragma once

#include "segment/segment.h"

enum { SETTLING_TARGETS = 64 };

/* Differences between halves (log of time per visit) of one target's sped-up windows. */
struct settling_target {
    uint32_t site;
    uint32_t windows;
    double sum, squares;
};

struct settling {
    uint64_t time_ns; /* to let pass before a window is used */
    struct settling_target targets[SETTLING_TARGETS];
};

void settling_begin(struct settling *settling);

/* A sped-up window of the site: its halves took log_first and log_second of time per visit. Returns true when
 * that made the settling time longer: earlier windows then said something else than what is asked. */
bool settling_note(struct settling *settling, uint32_t site, double log_first, double log_second);
