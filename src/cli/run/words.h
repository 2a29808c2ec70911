/* What `coz run` says in the end: why it ended, and how sure it is of what it found. */
#pragma once

#include "experiment/session/series.h"

#include <stdio.h>

/* Why there were no more runs; nothing when that goes without saying. */
void words_on_end(FILE *out, const struct series *series);

/* What points that the processor counts have cost, when that is more than a hundredth of the program's time; and
 * which processes they were not counted in. */
void words_on_breakpoints(FILE *out, const struct session_progress *total);

/* For each progress point the leader, its effect and interval, and the windows behind it; then the control,
 * and what came of --until-ci. */
void words_on_certainty(FILE *out, const struct series *series);
