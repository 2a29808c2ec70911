/* An analysis as text, JSON or CSV. All three say the same numbers, since they ask the same analysis. */
#pragma once

#include "base/error.h"
#include "stats/answers/analysis.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct latencies;
struct story;
struct waiting;

struct report_options {
    const char *point;    /* only answers for this progress point; NULL: for all */
    size_t top;           /* at most so many lines for each point; 0: no limit */
    bool all;             /* also answers without enough data, and everything that is hidden */
    int width;            /* text: columns of the terminal */
    bool colour;          /* text: with colours */
    bool links;           /* text: names of files can be opened from the terminal (OSC 8) */
    bool wraps;           /* text: sentences are as narrow, too; legends always are */
    bool utf8;            /* text: blocks for the curve; otherwise plain ASCII */
    int source;           /* text: so many lines of the source below each leader; 0: none */
    char *const *ledgers; /* text, JSON: paths of ledgers of what was verified (profile/verified.h) */
    size_t ledger_count;
    struct waiting *waiting;           /* text, JSON: what threads waited for; NULL: not to be told */
    const struct latencies *latencies; /* text, JSON: NULL: only mean effects are told */
    const struct story *story;         /* JSON: what was tried when; NULL: not to be told */
};

/* What there is to know of the terminal behind out (NULL: there is none) and from the environment: COLUMNS,
 * NO_COLOR, TERM, and the locale's variables. 80 columns when nothing says how many. */
void report_options_init(struct report_options *options, FILE *out);

/* How many answers (of any verdict but "not enough data") there are under these options. */
size_t report_answers(struct analysis *analysis, const struct report_options *options);

void report_text(FILE *out, struct analysis *analysis, const struct report_options *options);
/* What the user was told when it ran; nothing where there was nothing. A part of the above. */
void report_remarks(FILE *out, const struct report_options *options);
void report_markdown(FILE *out, struct analysis *analysis, const struct report_options *options);
void report_csv(FILE *out, struct analysis *analysis, const struct report_options *options);
int report_json(FILE *out, struct analysis *analysis, const struct report_options *options,
                struct coz_error *err);

/* Why there is no answer, and what to do about it. */
void report_explain(FILE *out, struct analysis *analysis, const struct report_options *options);
