/* Answers for a pull request. */
#include "report/markdown.h"

#include "report/cells.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

void put_code(FILE *out, const char *raw)
{
    char *clean = clean_text(raw, true);
    putc('`', out);
    for (const char *c = clean && *clean ? clean : "?"; *c; c++) {
        if (*c == '|')
            putc('\\', out); /* even in code, a bar ends a cell */
        putc(*c == '`' ? '\'' : *c, out);
    }
    putc('`', out);
    free(clean);
}

void put_cell(FILE *out, double share, int sign)
{
    if (isfinite(share))
        fprintf(out, sign ? " %+.1f |" : " %.1f |", 100 * share);
    else
        fputs(" – |", out);
}

static void put_effect(FILE *out, const struct analysis_result *result, double speedup)
{
    struct effect_at at = curve_at(result, speedup);
    if (at.known)
        fprintf(out, " %s%.1f |", at.interpolated ? "~" : "", 100 * at.effect);
    else
        fputs(" – |", out);
}

static void put_row(FILE *out, size_t rank, const struct analysis_result *result,
                    const struct speedups *speedups)
{
    fprintf(out, "| %zu | ", rank);
    put_code(out, result->location);
    fputs(" |", out);
    for (size_t i = 0; i < speedups->count; i++)
        put_effect(out, result, speedups->values[i]);
    put_cell(out, result->impact, 0);
    if (isfinite(result->low) && isfinite(result->high))
        fprintf(out, " %.1f to %.1f |", 100 * result->low, 100 * result->high);
    else
        fputs(" – |", out);
    const char *emphasis =
        result->verdict == VERDICT_IMPROVES || result->verdict == VERDICT_HARMFUL ? "**" : "";
    fprintf(out, " %.1f | %s%s%s |\n", 100 * result->share, emphasis, analysis_verdict_name(result->verdict),
            emphasis);
}

static void put_head(FILE *out, const char *noun, const struct speedups *speedups)
{
    fprintf(out, "| # | %s |", noun);
    for (size_t i = 0; i < speedups->count; i++)
        fprintf(out, " %g %% |", 100 * speedups->values[i]);
    fputs(" impact | 95 % interval | % of samples | verdict |\n|--:|:--|", out);
    for (size_t i = 0; i < speedups->count; i++)
        fputs("--:|", out);
    fputs("--:|:-:|--:|:--|\n", out);
}

/* The answer in a sentence. */
static void put_answer(FILE *out, const struct analysis_result *best, size_t count)
{
    bool improves = best->verdict == VERDICT_IMPROVES;
    fputs(improves ? "Making " : "No ", out);
    if (improves)
        put_code(out, best->location);
    else
        fputs(results_noun(best, count), out);
    fputs(improves ? " faster pays most: " : " is shown to make ", out);
    put_code(out, best->point);
    if (improves)
        fprintf(out, " gets %.0f %% (%.0f to %.0f) of it.\n", 100 * best->impact, 100 * best->low,
                100 * best->high);
    else
        fputs(" faster.\n", out);
}

static void put_point(FILE *out, const struct analysis_result *results, size_t count,
                      const struct report_options *options)
{
    struct speedups speedups = speedups_shown(results, count, SPEEDUPS_MOST);
    size_t rank = 0, left = 0, unsure = 0;
    fputs("\n#### Progress point ", out);
    put_code(out, results[0].point);
    fputs(results[0].metric == METRIC_LATENCY ? " (latency)\n\n" : "\n\n", out);
    put_answer(out, results, count);
    for (size_t i = 0; i < count; i++) {
        if (!options->all && results[i].verdict == VERDICT_TOO_LITTLE) {
            unsure++;
            continue;
        }
        if (options->top && rank >= options->top) {
            left++;
            continue;
        }
        if (rank++ == 0) {
            putc('\n', out);
            put_head(out, results_noun(results, count), &speedups);
        }
        put_row(out, rank, &results[i], &speedups);
    }
    if (left > 0)
        fprintf(out, "\n… and %zu more (`--top 0` shows them).\n", left);
    if (unsure > 0)
        fprintf(out, "\nOf %zu there is not enough data (`--all` shows them).\n", unsure);
}

void report_markdown(FILE *out, struct analysis *analysis, const struct report_options *options)
{
    const struct analysis_result *results;
    size_t count = analysis_results(analysis, &results);
    fprintf(out, "### Causal profile: %.0f s, %" PRIu64 " windows, %" PRIu64 " samples\n",
            (double)analysis_runtime_ns(analysis) / 1e9, analysis_windows(analysis),
            analysis_samples(analysis));
    for (size_t i = 0, n; i < count; i += n) {
        for (n = 1; i + n < count && results[i + n].point == results[i].point;)
            n++;
        if (option_wants(options, &results[i]))
            put_point(out, results + i, n, options);
    }
    if (count > 0)
        fputs(
            "\n<sub>Columns in % say how much less time passes between two visits (or how much less latency there is)"
            " when the line takes so much less; an impact of 30 says that x % less there is 0.3 x % less in"
            " all.</sub>\n",
            out);
}
