/* Latencies beyond their mean effect: how many units came and went, whether more came than went, and, where units
 * have ids, what the median and the slowest took, for each target at each speedup. Fed with records as they come,
 * beside the analysis. No I/O. */
#pragma once

#include "profile/record.h"
#include "stats/latency/quantiles.h"

#include <stddef.h>
#include <stdint.h>

/* Whether as many units went as came. */
enum latency_flow {
    FLOW_STEADY,   /* no difference is shown */
    FLOW_GROWS,    /* more came: the queue has no end, and nor have latencies */
    FLOW_UNMATCHED /* more went: some pass no begin */
};

struct latency_point {
    const char *name;                /* owned by the latencies */
    double arrivals_s, departures_s; /* a second, when nothing is changed; NAN: no window was so */
    double mean_ns, in_progress;     /* likewise, by Little's law */
    enum latency_flow flow;
    struct latency_at at; /* when nothing is changed, whatever the target; no units: they have no ids */
    uint64_t unmatched, refused; /* of units with ids: that are not told of */
};

struct latencies;

struct latencies *latencies_new(void); /* NULL when memory is out */
void latencies_free(struct latencies *latencies);
int latencies_add(struct latencies *latencies, const struct profile_record *record); /* 0 or -ENOMEM */

/* Of the pair of points with that name. False: no window had it. */
int latencies_point(const struct latencies *latencies, const char *name, struct latency_point *point);

/* What is known of a target's units at that point, at each speedup that was tried, 0 first and then by size; at most
 * `most`. Returns how many there are; 0: units have no ids. */
size_t latencies_of(const struct latencies *latencies, const char *kind, const char *location,
                    const char *name, struct latency_at *all, size_t most);
