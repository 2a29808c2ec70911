/* What a change is called. Internal to src/stats/compare/. */
#pragma once

#include "stats/compare/comparison.h"

/* Of a chance that was adjusted for all of its kind, and the interval of the change. */
enum compare_verdict compare_judge(double chance, double low, double high);
