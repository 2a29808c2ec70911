/* All that is known of one target, for a terminal: its finding in a sentence, its curve, its source. */
#pragma once

#include "base/error.h"
#include "report/report.h"

/* Prints it. Returns 1 when there is an answer, 0 when there is not enough data for one (and says what it would
 * take); -ENOENT, -EINVAL: no target, or several, are called so (find.h), and err says which there are; -ENOMEM.
 * windows: single ones are drawn, too. */
int report_target(FILE *out, struct analysis *analysis, const struct report_options *options,
                  const char *wanted, bool windows, struct coz_error *err);
