/* How fast a running program makes progress: its points, looked at now and then. Internal to src/verify/. */
#pragma once

#include "experiment/schedule/points.h"

/* What a point had counted at a moment; of an end point also what its begin point had. */
struct meter_reading {
    uint64_t at_ns;
    struct point_reading own, begin;
};

/* The first reading that had visits, the one before the last change, and the latest. Between the first two the
 * program was at work, whatever it did before and after. */
struct meter_point {
    struct meter_reading first, end, latest;
};

/* Begins zeroed. */
struct meter {
    struct meter_point points[SEGMENT_POINTS];
};

/* now_ns: CLOCK_MONOTONIC. */
void meter_look(struct meter *meter, const struct segment *segment, uint64_t now_ns);

/* What was measured of a progress point. */
struct metered {
    const char *name; /* the segment's */
    bool is_latency;
    double time_ns;  /* for each visit, or from begin to end; NAN: too few visits to say */
    uint64_t visits; /* in all */
};

/* Of throughput points, and of end points whose begin point has the same name and whose visits tell their times.
 * False: the slot is neither. */
bool meter_point(const struct meter *meter, const struct segment *segment, uint32_t index,
                 struct metered *metered);
