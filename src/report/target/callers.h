/* Who calls a target, as the stacks of its samples tell. Internal to src/report/target/. */
#pragma once

#include "report/report.h"

/* The most frequent ways to it, a sentence each, after an empty line. Nothing where nobody is known to call it. */
void put_callers(FILE *out, const struct analysis *analysis, const struct analysis_result *result,
                 const struct report_options *options);
