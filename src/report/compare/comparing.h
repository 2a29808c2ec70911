/* A comparison of two profiles as text, JSON, CSV or Markdown. All say the same numbers, since they ask the same
 * comparison. */
#pragma once

#include "report/compare/condition.h"
#include "report/report.h"
#include "stats/compare/compare.h"

struct compare_report {
    const struct compare_side *before, *after;
    const char *names[2]; /* of the profiles, as they are to be told */
    const struct comparison *comparison;
    const struct condition *conditions; /* judged */
    size_t condition_count;
};

void compare_text(FILE *out, const struct compare_report *report, const struct report_options *options);
void compare_markdown(FILE *out, const struct compare_report *report, const struct report_options *options);
void compare_csv(FILE *out, const struct compare_report *report, const struct report_options *options);
int compare_json(FILE *out, const struct compare_report *report, const struct report_options *options,
                 struct coz_error *err);

/* What the last one prints. To be released by json_decref(); NULL when memory is out. */
struct json_t *compare_tree(const struct compare_report *report, const struct report_options *options);

/* Whether anything at all could be compared. */
bool compare_has_answers(const struct comparison *comparison, const struct report_options *options);
