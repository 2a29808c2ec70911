/* Why a target has no effect, where its threads' waits tell. */
#pragma once

#include "stats/waits/waiting.h"

/* What the threads that run a location wait for most. */
struct reason {
    double share;              /* of their time, 0..1; 0: for nothing that explains anything */
    const char *by;            /* the place that ends it; NULL: unknown, or several do */
    const char *class, *place; /* the wait; place: "" when nothing is in scope there */
};

/* The texts are the sums', and live as long. kind: as of results. */
struct reason reason_find(const struct waiting *waiting, const char *kind, const char *location);
