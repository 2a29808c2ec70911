/* What the formats of a comparison have in common. Internal to src/report/compare/. */
#pragma once

#include "report/compare/comparing.h"

/* Sentences on what else differs: machines, programs, samplers, what was tried, and how lines were matched. */
enum { DIFFERENCES_MOST = 12, DIFFERENCE_BYTES = 400 };
size_t find_differences(const struct compare_report *report, char sentences[][DIFFERENCE_BYTES], size_t most);

/* Prints the text with lines broken at spaces, none longer than so many columns unless a word is; 0: unbroken. */
void put_wrapped(FILE *out, const char *text, size_t columns);

/* "1444 visits a second", or "1.20 ms". */
void format_rate(char *text, size_t size, const struct compare_rate *rate, double value);

/* Which row of a target is to be told: its result now, or before where there is none now. */
const struct analysis_result *row_result(const struct compare_target *target);

/* The location after; where it was called otherwise before, that too: "worker.c:92 (was :88)". Clean; to be
 * freed, NULL when memory is out. */
char *row_location(const struct compare_target *target);

bool rate_is_wanted(const struct compare_rate *rate, const struct report_options *options);
bool target_is_wanted(const struct compare_target *target, const struct report_options *options);

/* What is told of one profile: runs, time, windows. */
struct side_sums {
    size_t runs;
    double runtime_s;
    unsigned long long windows;
};
struct side_sums side_sums(const struct compare_side *side);

const char *match_name(enum match_by by); /* "text", "function", ... */
const char *outcome_name(enum condition_outcome outcome);
