/* Which target a person means. Internal to src/report/. */
#pragma once

#include "base/error.h"
#include "report/report.h"

/* Answers about one target, one for each progress point that is wanted, as they are ranked. */
enum { FOUND_POINTS = 64 };
struct found_target {
    const struct analysis_result *answers[FOUND_POINTS];
    size_t count;
    const struct analysis_result *all; /* of every target and point, these among them */
    size_t all_count;
    /* The name was this function's, and the target is its line that pays most; else NULL. */
    const char *function;
};

/* wanted: "FILE:LINE" (FILE may be any trailing part of the path that begins at a '/'), two of them with " <- "
 * between, or a function's name as for function_name_match(); where functions were no targets, the best of its
 * lines. Valid until the next call on the analysis.
 *
 * 0; -EINVAL: the name is that of several targets; -ENOENT: of none. err names those that there are. */
int find_target(struct found_target *found, struct analysis *analysis, const struct report_options *options,
                const char *wanted, struct coz_error *err);
