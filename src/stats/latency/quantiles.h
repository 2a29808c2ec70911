/* What units took at one speedup, and what it saves of that. */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { LATENCY_QUANTILES = 3 };
extern const double latency_quantiles[LATENCY_QUANTILES]; /* 0.5, 0.9, 0.99 */

/* With its 95 % interval. NAN: not known. */
struct latency_value {
    double value, low, high;
};

/* What units took that ended in windows of one speedup. Virtual time: without what was inserted meanwhile. */
struct latency_at {
    double speedup;
    uint64_t units;
    struct latency_value ns[LATENCY_QUANTILES];
    /* The share saved of the same target's, when nothing is changed. */
    struct latency_value effects[LATENCY_QUANTILES];
};
