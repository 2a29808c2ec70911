/* What an interval of an impact says, and how much longer a run has to be until it says something. Pure.
 * Internal to src/stats/. */
#pragma once

#include "stats/answers/answer.h"

/* Of the impact, its interval, and the impact that noise alone makes of so many windows (0: not known). */
enum analysis_verdict verdict_of(const struct analysis_result *result, double allowed);

/* How much longer a run that took so long must go on, in the same unit, until the interval is so narrow that
 * there is a verdict, if the impact stays what it is. `chance` shrinks with the square root of the number of
 * windows, and what the method is off does not shrink: INFINITY when that alone is too much. NAN when there
 * is nothing to reckon with; 0 when there is a verdict already. */
double verdict_more(const struct analysis_result *result, double taken);
