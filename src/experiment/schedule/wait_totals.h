/* What threads waited for in a run, as records for the end of its profile. */
#pragma once

#include "experiment/schedule/windows.h"
#include "experiment/targets/target_names.h"

/* A record for each class and place, the longest first, and one for each place that ended such waits. 0, or what
 * the sink returned. */
int wait_totals_write(const struct target_names *names, window_sink sink, void *context);
