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

/* The speedups that were measured of some results, in order; of more than fit, the first, the last and some
 * between. */
enum { SPEEDUPS_MOST = 4 };
struct speedups {
    double values[SPEEDUPS_MOST];
    size_t count;
};

/* `most` is from 1 to SPEEDUPS_MOST. */
struct speedups speedups_shown(const struct analysis_result *results, size_t count, size_t most);

bool option_wants(const struct report_options *options, const struct analysis_result *result);

/* A copy in valid UTF-8; for_terminal: with what would steer a terminal, or turn or hide text, as the escapes of
 * C. Free it. NULL when memory is out. */
char *clean_text(const char *text, bool for_terminal);

/* What the targets of these results are: "line", "function", "call site", or "target" when they differ. */
const char *results_noun(const struct analysis_result *results, size_t count);

/* Are its targets lines? Then the ends of their names tell more than the beginnings. */
bool kind_is_of_lines(const char *kind);

/* Does the end of the name tell more than its beginning? Of lines, files, and functions that are named by where they
 * belong ("aho_corasick::packed::teddy::verify64"). name: clean text, or NULL. */
bool end_tells_more(const char *kind, const char *name);

/* How many bytes of its location are the path of its own line's file; 0 when it is not of lines. */
size_t location_path_length(const struct analysis_result *result);

/* The target's name for a table: clean, and call sites without their folders. Free it. NULL when memory is
 * out. */
char *location_shown(const struct analysis_result *result);

/* Columns that a clean text takes, one for each character. */
size_t text_columns(const char *clean);

/* Prints clean text in exactly `columns` columns; what does not fit is cut, from the left (paths: their ends
 * tell more) or from the right. */
void put_cut(FILE *out, const char *clean, size_t columns, bool from_left, bool utf8);

/* Prints a clean name in so many columns or fewer, and returns in how many. Of a path that does not fit, whole
 * folders are left out at the left if that will do. */
size_t put_place(FILE *out, const char *clean, size_t columns, bool is_path, bool utf8);

/* In percent, to be printed with so many digits behind the point: nothing becomes "-0". */
double percent_of(double share, int digits);

/* A text as a cell of CSV: clean, in quotation marks; "?" when memory is out. */
void put_csv_text(FILE *out, const char *raw);

/* A comma, and the number; what is not known is empty. */
void put_csv_number(FILE *out, double value);

/* "40 s", "12 min" or "3 h": about as much, in the unit that a person would say it in. */
void put_duration(FILE *out, double ns);

/* The curve, from 0 to the largest speedup, in one character for each; `scale` is the effect of a full block.
 */
enum { SPARK_COLUMNS = 9 };
void put_spark(FILE *out, const struct analysis_result *result, double scale, bool utf8);
