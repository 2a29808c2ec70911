/* The curves that answers are made of: most of the time that a report takes is spent on them, and none hangs on
 * another. Internal to src/stats/. */
#pragma once

#include "stats/answers/analysis.h"
#include "stats/estimate/noise.h"

#include <stddef.h>

/* Makes the curves of all targets at that point fresh, in as many threads as analysis_use_threads() allowed. The same
 * curves, however many there are. 0 or -ENOMEM. */
int estimates_refresh(struct analysis *analysis, size_t point_id, const struct noise *noise);
