/* An analysis as text, JSON or CSV. All three say the same numbers, since they ask the same analysis. */
#pragma once

#include "base/error.h"
#include "stats/answers/analysis.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct story;

struct report_options {
    const char *point;         /* only answers for this progress point; NULL: for all */
    size_t top;                /* at most so many lines for each point; 0: no limit */
    bool all;                  /* also answers without enough data, and everything that is hidden */
    int width;                 /* text: columns of the terminal */
    bool colour;               /* text: with escape sequences */
    bool utf8;                 /* text: blocks for the curve; otherwise plain ASCII */
    const struct story *story; /* JSON: what was tried when; NULL: not to be told */
};

/* From the terminal behind out and the environment (COLUMNS, NO_COLOR, LANG); 100 columns when there is none.
 */
void report_options_init(struct report_options *options, FILE *out);

/* How many answers (of any verdict but "not enough data") there are under these options. */
size_t report_answers(struct analysis *analysis, const struct report_options *options);

void report_text(FILE *out, struct analysis *analysis, const struct report_options *options);
void report_markdown(FILE *out, struct analysis *analysis, const struct report_options *options);
void report_csv(FILE *out, struct analysis *analysis, const struct report_options *options);
int report_json(FILE *out, struct analysis *analysis, const struct report_options *options,
                struct coz_error *err);

/* Why there is no answer, and what to do about it. */
void report_explain(FILE *out, struct analysis *analysis, const struct report_options *options);
