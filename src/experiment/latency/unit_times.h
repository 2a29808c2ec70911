/* What single units took, between a begin and an end point that say which one it is: how often each time came in
 * a window, of the segment's totals. */
#pragma once

#include "profile/record.h"
#include "shared/layout.h"

/* Who receives the records. 0 or a negative errno. */
typedef int (*unit_sink)(void *context, const struct profile_record *record);

struct unit_times_pair;

/* Starts zeroed. */
struct unit_times {
    struct unit_times_pair *pairs[SEGMENT_LATENCIES]; /* NULL: none was met */
};

/* Call when a window ends: what was counted since the last call is its. 0 or -ENOMEM. */
int unit_times_look(struct unit_times *times, const struct segment *segment);

/* Hands the records of that window to the sink, after its points. */
int unit_times_emit(const struct unit_times *times, const struct segment *segment, unit_sink sink,
                    void *context);

void unit_times_release(struct unit_times *times);
