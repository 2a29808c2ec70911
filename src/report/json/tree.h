/* The report as a tree of JSON values: what `--format json` prints, and what the page shows. Internal to
 * src/report/. */
#pragma once

#include "report/report.h"

#include <jansson.h>

/* To be released by json_decref(); NULL when memory is out. docs/design/profile.md says what it holds. */
json_t *report_tree(struct analysis *analysis, const struct report_options *options);

/* The points of its curve, as an array; likewise. */
json_t *report_curve(const struct analysis_result *result);
