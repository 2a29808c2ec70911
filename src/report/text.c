#include "report/text.h"

#include "report/advice.h"
#include "report/cells.h"
#include "report/ink.h"
#include "report/latencies.h"
#include "report/snippet.h"
#include "report/table.h"
#include "stats/answers/story.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum { HIDDEN_LINES = 8, SUM_LINES = 8, REMARK_LINES = 5 };
enum { MARGIN = 4, NAME_LEAST = 20 };

#define SUM_LEAST 0.001 /* share of a sum that is worth a line */

/* For sentences that somebody may look for in a file. */
static size_t sentence_columns(const struct report_options *options)
{
    return options->wraps ? (size_t)options->width : 0;
}

static void put_seconds(FILE *out, uint64_t ns)
{
    double seconds = (double)ns / 1e9;
    if (seconds >= 120)
        fprintf(out, "%.0f min %.0f s", floor(seconds / 60), fmod(seconds, 60));
    else
        fprintf(out, "%.1f s", seconds);
}

static void put_headline(FILE *terminal, struct analysis *analysis, const struct report_options *options)
{
    struct flow flow;
    FILE *out = put_flow(&flow, terminal);
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
    put_flow_end(&flow, sentence_columns(options));
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

static void put_all_limits(FILE *out, const struct analysis_result *results, size_t count,
                           const struct report_options *options)
{
    struct flow flow;
    put_limits(put_flow(&flow, out), results, count);
    put_flow_end(&flow, (size_t)options->width);
}

static void put_all_advice(FILE *out, const struct analysis_result *results, size_t count,
                           const struct report_options *options)
{
    struct flow flow;
    put_advice(put_flow(&flow, out), results, count);
    put_flow_end(&flow, sentence_columns(options));
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

/* Returns whether a source was shown that has changed. */
static bool put_point(FILE *terminal, const struct analysis *analysis, const struct analysis_result *results,
                      size_t count, const struct report_options *options)
{
    char *point = clean_text(results[0].point, true);
    bool latency = results[0].metric == METRIC_LATENCY;
    struct flow flow;
    FILE *out = put_flow(&flow, terminal);
    fprintf(out, "\nProgress point `%s`: %% less %s when the %s is ", point ? point : "?",
            latency ? "latency" : "time for each visit", results_noun(results, count));
    put_speedups(out, results, count);
    fputs(latency ? " (latency by Little's law)\n" : "\n", out);
    put_flow_end(&flow, sentence_columns(options));
    out = terminal;
    free(point);
    struct table_rest rest = {.left_out = 0};
    put_table(out, analysis, results, count, false, &rest, options);
    size_t harmful = 0;
    for (size_t i = 0; i < count; i++)
        harmful += results[i].verdict == VERDICT_HARMFUL;
    if (harmful > 0) {
        put_paragraph(
            out,
            "\nHarmful: making these faster makes the program slower, the mark of contention (threads meet "
            "sooner at a lock or a cache line). Less sharing there helps, more speed does not.\n",
            (size_t)options->width);
        put_table(out, analysis, results, count, true, &rest, options);
    }
    if (rest.left_out > 0)
        fprintf(out, "    ... and %zu more (--top 0 shows them)\n", rest.left_out);
    put_findings(out, results, count, options);
    put_reasons(out, results, count, options);
    put_latencies(out, results, count, options);
    put_all_limits(out, results, count, options);
    return rest.changed;
}

/* Said once, before the first table: what its numbers are, and what ranks first. */
static void put_legend(FILE *out, const struct report_options *options)
{
    put_paragraph(
        out,
        "x % faster means x % less time. An impact of 30 says that x % faster there is 0.3 x % faster in all; it is "
        "95 % sure to be `at least` and `at most` what is told. Lines are ranked by `at least`.\n",
        (size_t)options->width);
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
    /* The reason goes into a line of its own where the name would be cut to next to nothing. */
    bool two_lines = width < reason + MARGIN + 2 + NAME_LEAST;
    size_t columns = two_lines ? width - MARGIN - 1 : width - reason - MARGIN - 2;
    fprintf(out, "%*s", MARGIN, "");
    put_place(out, clean ? clean : "?", columns, true, options->utf8);
    if (two_lines) {
        fputs(":\n", out);
        put_indented(out, clean_why ? clean_why : "?", 2 * MARGIN, width);
    } else {
        fprintf(out, ": %s\n", clean_why ? clean_why : "?");
    }
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

static void put_remark(FILE *out, const struct story_remark *remark, const struct report_options *options)
{
    char *both = NULL;
    if (asprintf(&both, "%s%s%s", remark->text, remark->remedy ? " " : "",
                 remark->remedy ? remark->remedy : "") < 0)
        return;
    char *clean = clean_text(both, true);
    put_indented(out, clean ? clean : "?", MARGIN, (size_t)options->width);
    free(clean);
    free(both);
}

/* What the user was told when it ran is of use to others, and later. */
void report_remarks(FILE *out, const struct report_options *options)
{
    const struct story_run *runs;
    size_t shown = 0, count = options->story ? story_runs(options->story, &runs) : 0;
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < runs[i].remark_count; j++) {
            if (++shown == 1)
                fputs("\nWhen it ran, coz said:\n", out);
            if (shown > REMARK_LINES && !options->all)
                continue;
            put_remark(out, &runs[i].remarks[j], options);
        }
    if (shown > REMARK_LINES && !options->all)
        fprintf(out, "    ... and %zu more (--all shows them)\n", shown - REMARK_LINES);
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
        put_cut(out, name ? name : "?", own < room ? own : room,
                end_tells_more(what == SUMS_FILES ? "file" : "function", name), options->utf8);
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
    bool changed = false;
    size_t count = analysis_results(analysis, &results);
    put_headline(out, analysis, options);
    for (size_t i = 0, n; i < count; i += n) {
        n = run_length(results + i, count - i);
        if (option_wants(options, &results[i]))
            put_all_advice(out, results + i, n, options);
    }
    if (report_answers(analysis, options) > 0 || (options->all && count > 0))
        put_legend(out, options);
    for (size_t i = 0, n; i < count; i += n) {
        n = run_length(results + i, count - i);
        if (option_wants(options, &results[i]) && has_lines(results + i, n, options))
            changed |= put_point(out, analysis, results + i, n, options);
        else if (option_wants(options, &results[i])) {
            put_latencies(out, results + i, n, options);
            put_all_limits(out, results + i, n, options);
        }
    }
    put_disagreements(out, results, count, options);
    if (changed) {
        putc('\n', out);
        put_changed(out, options);
    }
    put_hidden(out, analysis, options);
    report_remarks(out, options);
    put_sums(out, analysis, SUMS_FUNCTIONS, options);
    put_sums(out, analysis, SUMS_FILES, options);
}

void report_top(FILE *out, struct analysis *analysis, size_t n, int width)
{
    struct table_rest rest = {.left_out = 0};
    struct report_options options;
    report_options_init(&options, out);
    options.top = n;
    if (width > 0)
        options.width = width;
    const struct analysis_result *results;
    size_t count = analysis_results(analysis, &results);
    for (size_t i = 0, length; i < count; i += length) {
        length = run_length(results + i, count - i);
        put_table(out, analysis, results + i, length, false, &rest, &options);
        put_all_advice(out, results + i, length, &options);
    }
    if (report_answers(analysis, &options) == 0)
        report_explain(out, analysis, &options);
}
