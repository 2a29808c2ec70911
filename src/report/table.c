#include "report/table.h"

#include "report/cells.h"
#include "report/ink.h"
#include "report/snippet.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    RANK_COLUMNS = 3,
    EFFECT_COLUMNS = 7,
    IMPACT_COLUMNS = 8,
    BOUND_COLUMNS = 10, /* "at least", "at most" */
    SHARE_COLUMNS = 8,
    LINE_LEAST = 12,
    POINT_MOST = 16,
    LEADERS = 3 /* whose source is shown */
};

/* Of a full block of a small curve: less is not to look like much. */
#define SCALE_LEAST 0.05

/* What fits into the terminal: the curve goes first when there is little room, then the point (the heading
 * names it), then the share, then speedups but the last, then the verdict. */
struct columns {
    size_t line, point, verdict_wide;
    struct speedups speedups;
    bool spark, share, verdict;
};

static bool is_wanted(const struct analysis_result *result, bool harmful,
                      const struct report_options *options)
{
    if (result->verdict == VERDICT_TOO_LITTLE)
        return options->all && !harmful;
    return (result->verdict == VERDICT_HARMFUL) == harmful;
}

/* Of the rows that are wanted. */
static struct columns fit_columns(const struct analysis_result *results, size_t count, bool harmful,
                                  const struct report_options *options)
{
    size_t line = LINE_LEAST, point = 5, verdict = strlen("verdict");
    int width = options->width;
    for (size_t i = 0; i < count; i++) {
        if (!is_wanted(&results[i], harmful, options))
            continue;
        size_t word = strlen(analysis_verdict_name(results[i].verdict));
        verdict = word > verdict ? word : verdict;
        char *shown = location_shown(&results[i]);
        size_t columns = shown ? text_columns(shown) : 1;
        free(shown);
        line = columns > line ? columns : line;
        columns = strlen(results[i].point);
        point = columns > point ? columns : point;
    }
    point = point > POINT_MOST ? POINT_MOST : point;
    struct columns columns = {
        .point = point, .verdict_wide = verdict, .spark = true, .share = true, .verdict = true};
    columns.speedups = speedups_shown(results, count, SPEEDUPS_MOST);
    long fixed = RANK_COLUMNS + 1 + IMPACT_COLUMNS + 2 * BOUND_COLUMNS + 2 + (long)verdict;
    fixed += (long)columns.speedups.count * EFFECT_COLUMNS;
    long room = width - fixed - (long)point - 2 - SHARE_COLUMNS - 1 - SPARK_COLUMNS;
    if (room < LINE_LEAST + 8) {
        columns.spark = false;
        room += SPARK_COLUMNS + 1;
    }
    if (room < LINE_LEAST + 4) {
        columns.point = 0;
        room += (long)point + 2;
    }
    if (room < LINE_LEAST + 4) {
        columns.share = false;
        room += SHARE_COLUMNS;
    }
    while (room < LINE_LEAST && columns.speedups.count > 1) {
        columns.speedups = speedups_shown(results, count, columns.speedups.count - 1);
        room += EFFECT_COLUMNS;
    }
    if (room < LINE_LEAST) {
        columns.verdict = false;
        room += (long)verdict + 2;
    }
    room = room < LINE_LEAST ? LINE_LEAST : room;
    columns.line = line < (size_t)room ? line : (size_t)room;
    return columns;
}

static void put_head(FILE *out, const char *noun, const struct columns *columns,
                     const struct report_options *options)
{
    put_ink(out, INK_BOLD, options);
    fprintf(out, "%*s %-*s", RANK_COLUMNS, "#", (int)columns->line, noun);
    if (columns->point)
        fprintf(out, "  %-*s", (int)columns->point, "point");
    for (size_t i = 0; i < columns->speedups.count; i++) {
        char percent[32];
        snprintf(percent, sizeof percent, "%g %%", 100 * columns->speedups.values[i]);
        fprintf(out, "%*s", EFFECT_COLUMNS, percent);
    }
    fprintf(out, "%*s%*s%*s", IMPACT_COLUMNS, "impact", BOUND_COLUMNS, "at least", BOUND_COLUMNS, "at most");
    if (columns->share)
        fprintf(out, "%*s", SHARE_COLUMNS, "samples");
    if (columns->verdict)
        fprintf(out, "  %-*s", columns->spark ? (int)columns->verdict_wide : 0, "verdict");
    if (columns->spark)
        fputs(" curve", out);
    put_ink(out, INK_PLAIN, options);
    putc('\n', out);
}

static void put_effect(FILE *out, const struct effect_at *at)
{
    char text[32] = "-";
    if (at->known)
        snprintf(text, sizeof text, "%s%.1f", at->interpolated ? "~" : "", percent_of(at->effect, 1));
    fprintf(out, "%*s", EFFECT_COLUMNS, text);
}

static void put_percent(FILE *out, double share, int columns)
{
    if (isfinite(share))
        fprintf(out, "%*.1f", columns, percent_of(share, 1));
    else
        fprintf(out, "%*s", columns, "-");
}

/* In exactly so many columns, as a link where it names a file. */
static void put_name(FILE *out, const struct analysis_result *result, const char *location, size_t columns,
                     const struct report_options *options)
{
    bool of_lines = kind_is_of_lines(result->kind);
    size_t path = of_lines ? location_path_length(result) : 0;
    bool linked = put_link(out, result->location, path, options);
    size_t used = put_place(out, location, columns, end_tells_more(result->kind, location), options->utf8);
    if (linked)
        put_link_end(out);
    fprintf(out, "%*s", (int)(columns - used), "");
}

static void put_row(FILE *out, size_t rank, const struct analysis_result *result,
                    const struct columns *columns, double scale, const struct report_options *options)
{
    char *location = location_shown(result), *point = clean_text(result->point, true);
    fprintf(out, "%*zu ", RANK_COLUMNS, rank);
    put_name(out, result, location ? location : "?", columns->line, options);
    if (columns->point) {
        fputs("  ", out);
        put_cut(out, point ? point : "?", columns->point, false, options->utf8);
    }
    for (size_t i = 0; i < columns->speedups.count; i++) {
        struct effect_at at = curve_at(result, columns->speedups.values[i]);
        put_effect(out, &at);
    }
    put_percent(out, result->impact, IMPACT_COLUMNS);
    put_percent(out, result->low, BOUND_COLUMNS);
    put_percent(out, result->high, BOUND_COLUMNS);
    if (columns->share)
        fprintf(out, "%*.1f %%", SHARE_COLUMNS - 2, 100 * result->share);
    if (columns->verdict) {
        fputs("  ", out);
        put_ink(out, ink_of_verdict(result->verdict), options);
        fprintf(out, "%-*s", columns->spark ? (int)columns->verdict_wide : 0,
                analysis_verdict_name(result->verdict));
        put_ink(out, INK_PLAIN, options);
    }
    if (columns->spark) {
        putc(' ', out);
        put_spark(out, result, scale, options->utf8);
    }
    putc('\n', out);
    free(location);
    free(point);
}

static enum snippet_outcome put_source(FILE *out, const struct analysis *analysis,
                                       const struct analysis_result *result,
                                       const struct report_options *options)
{
    size_t path = location_path_length(result);
    const struct snippet snippet = {.path = result->location,
                                    .path_length = path,
                                    .line = path ? strtol(result->location + path + 1, NULL, 10) : 0,
                                    .lines = options->source};
    return path ? put_snippet(out, analysis, &snippet, options) : SNIPPET_NONE;
}

void put_table(FILE *out, const struct analysis *analysis, const struct analysis_result *results,
               size_t count, bool harmful, struct table_rest *rest, const struct report_options *options)
{
    struct columns columns = fit_columns(results, count, harmful, options);
    double scale = SCALE_LEAST;
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < results[i].curve_count; j++)
            if (results[i].verdict != VERDICT_TOO_LITTLE)
                scale = fmax(scale, fabs(results[i].curve[j].effect));
    size_t rank = 0;
    for (size_t i = 0; i < count; i++) {
        if (!is_wanted(&results[i], harmful, options))
            continue;
        if (rank == 0)
            put_head(out, results_noun(results, count), &columns, options);
        rank++;
        if (options->top && rank > options->top)
            continue;
        put_row(out, rank, &results[i], &columns, scale, options);
        if (rank <= LEADERS && put_source(out, analysis, &results[i], options) == SNIPPET_CHANGED)
            rest->changed = true;
    }
    rest->left_out += options->top && rank > options->top ? rank - options->top : 0;
}
