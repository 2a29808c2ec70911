/* Answers for a terminal. */
#pragma once

#include "report/report.h"

/* The best n answers with their intervals, and one sentence on what to do next; for the end of `coz run`. */
void report_top(FILE *out, struct analysis *analysis, size_t n, int width);
