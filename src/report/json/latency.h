/* Latencies as JSON: docs/design/profile.md says what the members mean. */
#pragma once

#include "stats/latency/latencies.h"

#include <jansson.h>

/* Of a target, at each speedup; an empty array where units have no ids. */
json_t *latency_target_json(const struct latencies *latencies, const char *kind, const char *location,
                            const char *point);

/* Of the point; NULL when no window had it. */
json_t *latency_point_json(const struct latencies *latencies, const char *point);
