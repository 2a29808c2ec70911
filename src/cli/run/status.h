/* What `coz run` shows on a terminal while the program runs: what is tried, who leads, and how much longer. */
#pragma once

#include "cli/run/status_area.h"
#include "experiment/session/series.h"

enum { STATUS_LEADERS = 3, STATUS_TEXT = 300 };

struct status {
    struct series *series;
    struct status_area area;
    bool is_shown; /* there is a terminal, and it was not forbidden */
    bool utf8;
    uint64_t next_ns, next_look_ns;
    /* As of the last look at the answers, which takes longer than to draw. */
    char leaders[STATUS_LEADERS][STATUS_TEXT];
    size_t leader_count;
    char certainty[64];
    double ends_ns; /* when the leaders will be known, on the clock of all runs; 0: not foretold */
};

/* On the terminal behind standard error, if it is one. */
void status_init(struct status *status, struct series *series, bool quiet);

/* To be called from time to time: draws it, twice a second at most. */
void status_update(struct status *status, struct session *session);

/* Before others' words, and in the end: it is gone. */
void status_clear(struct status *status);
