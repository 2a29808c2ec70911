/* What the text report says of latencies beyond the table of effects: see report/latency/words.h. Internal to
 * src/report/. */
#pragma once

#include "report/cells.h"

/* Of the point of these results, and of what its quantiles save with those that are ranked; nothing for a point of
 * throughput, and where options say nothing of latencies. */
void put_latencies(FILE *out, const struct analysis_result *results, size_t count,
                   const struct report_options *options);

/* Of one target, what its units took at each speedup; nothing where they have no ids. */
void put_target_latencies(FILE *out, const struct analysis_result *result,
                          const struct report_options *options);

/* Of targets whose answers about latency and throughput differ: why. results: of all points. */
void put_disagreements(FILE *out, const struct analysis_result *results, size_t count,
                       const struct report_options *options);
