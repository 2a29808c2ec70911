/* What a profile does not establish, in words. Internal to src/report/prompt/. */
#pragma once

#include "report/report.h"

/* Of all answers that the options want. */
void put_unestablished(FILE *out, struct analysis *analysis, const struct report_options *options);

/* Of these answers about one target. */
void put_unestablished_of(FILE *out, struct analysis *analysis, const struct analysis_result *const *answers,
                          size_t count);
