/* What threads waited for, who ended it, and the longest chain of that. */
#pragma once

#include "report/report.h"
#include "stats/waits/waiting.h"

/* As text. False when the profile tells of no wait, which is said. */
bool report_waits(FILE *out, struct waiting *waiting, const struct report_options *options);
