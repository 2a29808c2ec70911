/* The ranked table of one progress point. Internal to src/report/. */
#pragma once

#include "report/report.h"

/* Prints those of results[0..count) that have the wanted verdicts; returns how many lines were left out
 * because of options->top. */
size_t put_table(FILE *out, const struct analysis_result *results, size_t count, bool harmful,
                 const struct report_options *options);
