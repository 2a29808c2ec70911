/* Pieces that the tables are made of. Internal to src/report/. */
#pragma once

#include "report/report.h"

/* What a curve says at one speedup. */
struct effect_at {
    bool known;        /* false: beyond what was measured */
    bool interpolated; /* between two measured speedups, or between one and 0 */
    double effect, low, high;
};

struct effect_at curve_at(const struct analysis_result *result, double speedup);

bool option_wants(const struct report_options *options, const struct analysis_result *result);

/* A copy in valid UTF-8; for_terminal: with control characters replaced. Free it. NULL when memory is out. */
char *clean_text(const char *text, bool for_terminal);

/* Columns that a clean text takes, one for each character. */
size_t text_columns(const char *clean);

/* Prints clean text in exactly `columns` columns; what does not fit is cut, from the left (paths: their ends
 * tell more) or from the right. */
void put_cut(FILE *out, const char *clean, size_t columns, bool from_left, bool utf8);

/* The curve, from 0 to the largest speedup, in one character for each; `scale` is the effect of a full block.
 */
enum { SPARK_COLUMNS = 9 };
void put_spark(FILE *out, const struct analysis_result *result, double scale, bool utf8);
