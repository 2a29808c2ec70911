#include "report/text.h"

#include "report/advice.h"
#include "report/cells.h"
#include "report/table.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { WIDTH_WITHOUT_TERMINAL = 100, WIDTH_LEAST = 60, HIDDEN_LINES = 8, SUM_LINES = 8 };

#define SUM_LEAST 0.001 /* share of a sum that is worth a line */

static bool locale_is_utf8(void)
{
    static const char *const variables[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < 3; i++) {
        const char *value = getenv(variables[i]);
        if (value && *value)
            return strcasestr(value, "utf-8") || strcasestr(value, "utf8");
    }
    return false;
}

void report_options_init(struct report_options *options, FILE *out)
{
    *options = (struct report_options){.top = 20, .width = WIDTH_WITHOUT_TERMINAL, .utf8 = locale_is_utf8()};
    int fd = fileno(out);
    if (fd < 0 || !isatty(fd))
        return;
    struct winsize size;
    const char *columns = getenv("COLUMNS"), *no_colour = getenv("NO_COLOR"), *terminal = getenv("TERM");
    int wanted = columns ? atoi(columns) : 0;
    if (wanted <= 0 && ioctl(fd, TIOCGWINSZ, &size) == 0)
        wanted = size.ws_col;
    if (wanted > 0)
        options->width = wanted < WIDTH_LEAST ? WIDTH_LEAST : wanted;
    options->colour = !(no_colour && *no_colour) && terminal && strcmp(terminal, "dumb") != 0;
}

static void put_seconds(FILE *out, uint64_t ns)
{
    double seconds = (double)ns / 1e9;
    if (seconds >= 120)
        fprintf(out, "%.0f min %.0f s", floor(seconds / 60), fmod(seconds, 60));
    else
        fprintf(out, "%.1f s", seconds);
}

static void put_headline(FILE *out, struct analysis *analysis)
{
    if (analysis_runtime_ns(analysis) > 0) {
        fputs("Run time ", out);
        put_seconds(out, analysis_runtime_ns(analysis));
    } else {
        fputs("Run time unknown (the run did not end)", out);
    }
    fprintf(out, ", %" PRIu64 " windows", analysis_windows(analysis));
    if (analysis_samples(analysis) > 0)
        fprintf(out, ", %" PRIu64 " samples", analysis_samples(analysis));
    double spread = analysis_control_spread(analysis);
    if (!isnan(spread))
        fprintf(out, "; control: with nothing changed, one window says up to +-%.1f %%", 100 * expm1(spread));
    fputs(".\n", out);
}

/* "25, 50, 100 % faster", of the speedups that the table has room for at most. */
static void put_speedups(FILE *out, const struct analysis_result *results, size_t count)
{
    struct speedups shown = speedups_shown(results, count, SPEEDUPS_MOST);
    for (size_t i = 0; i < shown.count; i++)
        fprintf(out, "%s%g", i ? ", " : "", 100 * shown.values[i]);
    if (shown.count > 0 && shown.values[0] < 0)
        fputs(" % faster (below zero: slower)", out);
    else
        fputs(" % faster", out);
}

/* Whether the tables of a point have a line. */
static bool has_lines(const struct analysis_result *results, size_t count,
                      const struct report_options *options)
{
    for (size_t i = 0; i < count; i++)
        if (options->all || results[i].verdict != VERDICT_TOO_LITTLE)
            return true;
    return false;
}

static void put_point(FILE *out, const struct analysis_result *results, size_t count,
                      const struct report_options *options)
{
    char *point = clean_text(results[0].point, true);
    bool latency = results[0].metric == METRIC_LATENCY;
    fprintf(out, "\nProgress point `%s`: %% less %s when the %s is ", point ? point : "?",
            latency ? "latency" : "time for each visit", results_noun(results, count));
    put_speedups(out, results, count);
    fputs(latency ? " (latency by Little's law)\n" : "\n", out);
    free(point);
    size_t left_out = put_table(out, results, count, false, options);
    size_t harmful = 0;
    for (size_t i = 0; i < count; i++)
        harmful += results[i].verdict == VERDICT_HARMFUL;
    if (harmful > 0) {
        fputs(
            "\nHarmful: making these faster makes the program slower, the mark of contention (threads meet\n"
            "sooner at a lock or a cache line). Less sharing there helps, more speed does not.\n",
            out);
        left_out += put_table(out, results, count, true, options);
    }
    if (left_out > 0)
        fprintf(out, "    ... and %zu more (--top 0 shows them)\n", left_out);
    put_limits(out, results, count);
}

/* Said once, before the first table: what its numbers are, and what ranks first. */
static void put_legend(FILE *out)
{
    fputs(
        "x % faster means x % less time. An impact of 30 says that x % faster there is 0.3 x % faster in all;\n"
        "it is 95 % sure to be `at least` and `at most` what is told. Lines are ranked by `at least`.\n",
        out);
}

static void put_left_out(FILE *out, const char *location, const char *why, size_t *shown,
                         const struct report_options *options)
{
    if (++*shown == 1)
        fputs("\nNot ranked:\n", out);
    if (*shown > HIDDEN_LINES && !options->all)
        return;
    char *clean = clean_text(location, true), *clean_why = clean_text(why, true);
    size_t reason = clean_why ? text_columns(clean_why) : 0, width = (size_t)options->width;
    size_t columns = width > reason + 6 + 24 ? width - reason - 6 : 24;
    size_t own = clean ? text_columns(clean) : 1;
    fputs("    ", out);
    put_cut(out, clean ? clean : "?", own < columns ? own : columns, true, options->utf8);
    fprintf(out, ": %s\n", clean_why ? clean_why : "?");
    free(clean);
    free(clean_why);
}

static void put_hidden(FILE *out, struct analysis *analysis, const struct report_options *options)
{
    const struct analysis_result *results;
    const struct analysis_hidden *hidden;
    size_t shown = 0, count = analysis_results(analysis, &results);
    for (size_t i = 0; i < count && !options->all; i++) {
        /* What has no impact at all is among the hidden, with its reason. */
        if (results[i].verdict != VERDICT_TOO_LITTLE || isnan(results[i].impact) ||
            !option_wants(options, &results[i]))
            continue;
        char *why = explain_doubt(&results[i]);
        put_left_out(out, results[i].location, why ? why : "not enough data", &shown, options);
        free(why);
    }
    count = analysis_hidden(analysis, &hidden);
    for (size_t i = 0; i < count; i++)
        put_left_out(out, hidden[i].location, hidden[i].why, &shown, options);
    if (shown > HIDDEN_LINES && !options->all)
        fprintf(out, "    ... and %zu more (--all shows them)\n", shown - HIDDEN_LINES);
}

static void put_share(FILE *out, double share)
{
    if (isnan(share))
        fprintf(out, "%10s", "");
    else
        fprintf(out, "%8.1f %%", 100 * share);
}

static void put_sums(FILE *out, struct analysis *analysis, enum analysis_sums what,
                     const struct report_options *options)
{
    const struct analysis_sum *sums;
    size_t count = analysis_sums(analysis, what, &sums), shown = 0;
    bool called = false;
    for (size_t i = 0; i < count; i++)
        called |= !isnan(sums[i].with_called);
    if (count > 0)
        fprintf(out, "\nSamples by %s%s:\n", what == SUMS_FILES ? "file" : "function",
                called ? " (its own; with what it calls)" : "");
    for (; shown < count && (options->all || (shown < SUM_LINES && sums[shown].own >= SUM_LEAST)); shown++) {
        char *name = clean_text(sums[shown].name, true);
        put_share(out, sums[shown].own);
        if (called)
            put_share(out, sums[shown].with_called);
        fputs("  ", out);
        size_t room = (size_t)options->width - (called ? 22 : 12), own = name ? text_columns(name) : 1;
        put_cut(out, name ? name : "?", own < room ? own : room, what == SUMS_FILES, options->utf8);
        putc('\n', out);
        free(name);
    }
    if (shown < count)
        fprintf(out, "    ... and %zu more (--all shows them)\n", count - shown);
}

/* How many results from the first on are of the same progress point. */
static size_t run_length(const struct analysis_result *results, size_t count)
{
    size_t n = 1;
    while (n < count && results[n].point == results[0].point)
        n++;
    return n;
}

void report_text(FILE *out, struct analysis *analysis, const struct report_options *options)
{
    const struct analysis_result *results;
    size_t count = analysis_results(analysis, &results);
    put_headline(out, analysis);
    for (size_t i = 0, n; i < count; i += n) {
        n = run_length(results + i, count - i);
        if (option_wants(options, &results[i]))
            put_advice(out, results + i, n);
    }
    if (report_answers(analysis, options) > 0 || (options->all && count > 0))
        put_legend(out);
    for (size_t i = 0, n; i < count; i += n) {
        n = run_length(results + i, count - i);
        if (option_wants(options, &results[i]) && has_lines(results + i, n, options))
            put_point(out, results + i, n, options);
        else if (option_wants(options, &results[i]))
            put_limits(out, results + i, n);
    }
    put_hidden(out, analysis, options);
    put_sums(out, analysis, SUMS_FUNCTIONS, options);
    put_sums(out, analysis, SUMS_FILES, options);
}

void report_top(FILE *out, struct analysis *analysis, size_t n, int width)
{
    struct report_options options;
    report_options_init(&options, out);
    options.top = n;
    if (width > 0)
        options.width = width;
    const struct analysis_result *results;
    size_t count = analysis_results(analysis, &results);
    for (size_t i = 0, length; i < count; i += length) {
        length = run_length(results + i, count - i);
        put_table(out, results + i, length, false, &options);
        put_advice(out, results + i, length);
    }
    if (report_answers(analysis, &options) == 0)
        report_explain(out, analysis, &options);
}
