#include "report/table.h"

#include "report/cells.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    RANK_COLUMNS = 3,
    EFFECT_COLUMNS = 7,
    IMPACT_COLUMNS = 8,
    BOUND_COLUMNS = 10, /* "at least", "at most" */
    SHARE_COLUMNS = 8,
    VERDICT_COLUMNS = 15,
    LINE_LEAST = 12,
    POINT_MOST = 16
};

/* What fits into the terminal: the curve goes first when there is little room, then the point (the heading
 * names it), then the share, then speedups but the last, then the verdict. */
struct columns {
    size_t line, point;
    struct speedups speedups;
    bool spark, share, verdict;
};

static struct columns fit_columns(const struct analysis_result *results, size_t count, int width)
{
    size_t line = LINE_LEAST, point = 5;
    for (size_t i = 0; i < count; i++) {
        char *shown = location_shown(&results[i]);
        size_t columns = shown ? text_columns(shown) : 1;
        free(shown);
        line = columns > line ? columns : line;
        columns = strlen(results[i].point);
        point = columns > point ? columns : point;
    }
    point = point > POINT_MOST ? POINT_MOST : point;
    struct columns columns = {.point = point, .spark = true, .share = true, .verdict = true};
    columns.speedups = speedups_shown(results, count, SPEEDUPS_MOST);
    long fixed = RANK_COLUMNS + 1 + IMPACT_COLUMNS + 2 * BOUND_COLUMNS + 2 + VERDICT_COLUMNS;
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
        room += VERDICT_COLUMNS + 2;
    }
    room = room < LINE_LEAST ? LINE_LEAST : room;
    columns.line = line < (size_t)room ? line : (size_t)room;
    return columns;
}

static void put_head(FILE *out, const char *noun, const struct columns *columns,
                     const struct report_options *options)
{
    if (options->colour)
        fputs("\033[1m", out);
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
        fprintf(out, "  %-*s", columns->spark ? VERDICT_COLUMNS : 0, "verdict");
    if (columns->spark)
        fputs(" curve", out);
    fputs(options->colour ? "\033[0m\n" : "\n", out);
}

static void put_effect(FILE *out, const struct effect_at *at)
{
    char text[32] = "-";
    if (at->known)
        snprintf(text, sizeof text, "%s%.1f", at->interpolated ? "~" : "", 100 * at->effect);
    fprintf(out, "%*s", EFFECT_COLUMNS, text);
}

static void put_percent(FILE *out, double share, int columns)
{
    if (isfinite(share))
        fprintf(out, "%*.1f", columns, 100 * share);
    else
        fprintf(out, "%*s", columns, "-");
}

static void put_row(FILE *out, size_t rank, const struct analysis_result *result,
                    const struct columns *columns, double scale, const struct report_options *options)
{
    static const char *const colours[] = {[VERDICT_IMPROVES] = "\033[32m",
                                          [VERDICT_HARMFUL] = "\033[31m",
                                          [VERDICT_NO_EFFECT] = "",
                                          [VERDICT_TOO_LITTLE] = "\033[2m"};
    char *location = location_shown(result), *point = clean_text(result->point, true);
    fprintf(out, "%*zu ", RANK_COLUMNS, rank);
    put_cut(out, location ? location : "?", columns->line, kind_is_of_lines(result->kind), options->utf8);
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
    if (columns->verdict)
        fprintf(out, "  %s%-*s%s", options->colour ? colours[result->verdict] : "",
                columns->spark ? VERDICT_COLUMNS : 0, analysis_verdict_name(result->verdict),
                options->colour ? "\033[0m" : "");
    if (columns->spark) {
        putc(' ', out);
        put_spark(out, result, scale, options->utf8);
    }
    putc('\n', out);
    free(location);
    free(point);
}

static bool is_wanted(const struct analysis_result *result, bool harmful,
                      const struct report_options *options)
{
    if (result->verdict == VERDICT_TOO_LITTLE)
        return options->all && !harmful;
    return (result->verdict == VERDICT_HARMFUL) == harmful;
}

size_t put_table(FILE *out, const struct analysis_result *results, size_t count, bool harmful,
                 const struct report_options *options)
{
    struct columns columns = fit_columns(results, count, options->width);
    double scale = 0;
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
        if (!options->top || rank <= options->top)
            put_row(out, rank, &results[i], &columns, scale, options);
    }
    return options->top && rank > options->top ? rank - options->top : 0;
}
