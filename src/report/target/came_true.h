/* What came of earlier promises, as the ledgers beside the profiles tell (profile/verified.h). */
#pragma once

#include "report/report.h"

/* In a line or two each, the latest last: of that target (NULL: of any) and the options' point. Nothing where
 * nothing was verified. */
void put_came_true(FILE *out, const char *location, const struct report_options *options);
