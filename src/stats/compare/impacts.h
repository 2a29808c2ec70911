/* The impacts of targets that two builds have in common. Internal to src/stats/compare/. */
#pragma once

#include "stats/compare/comparison.h"
#include "stats/compare/side.h"

/* After the rates, whose points it goes through. 0 or -ENOMEM. */
int compare_impacts(struct comparison *comparison, const struct compare_side *before,
                    const struct compare_side *after);
