/* The ranked table of one progress point. Internal to src/report/. */
#pragma once

#include "report/report.h"

/* What tables leave to be said. */
struct table_rest {
    size_t left_out; /* lines, because of options->top */
    bool changed;    /* a source that is shown was changed since the run */
};

/* Prints those of results[0..count) that have the wanted verdicts, the first few with their source below, and adds
 * to what is left to be said. */
void put_table(FILE *out, const struct analysis *analysis, const struct analysis_result *results,
               size_t count, bool harmful, struct table_rest *rest, const struct report_options *options);
