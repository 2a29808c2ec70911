/* The answers as a question for somebody who has not seen the program, a language model for one: numbers with their
 * intervals, the source around each leader, and what is not established. Text in UTF-8; nothing is sent anywhere. */
#pragma once

#include "base/error.h"
#include "report/report.h"

enum { PROMPT_TOP = 8, PROMPT_SOURCE_BELOW = 11, PROMPT_SOURCE_AROUND = 41 };

/* About the leaders of each point: the options' point, top, source and story count. */
void report_prompt(FILE *out, struct analysis *analysis, const struct report_options *options);

/* About one target; wanted and errors as of report_target() (report/target/target.h). *file, where it is wanted, is the
 * source whose lines are in it, to be freed; NULL: none. */
int report_prompt_target(FILE *out, struct analysis *analysis, const struct report_options *options,
                         const char *wanted, char **file, struct coz_error *err);
