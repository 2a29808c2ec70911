#include "report/latencies.h"

#include "report/advice.h"
#include "report/ink.h"
#include "report/latency/words.h"

#include <math.h>
#include <stdlib.h>

enum { SPEEDUPS = 64, TARGETS_SHOWN = 5, DISAGREEMENTS = 3 };
enum { SPEEDUP_COLUMNS = 8, CELL_COLUMNS = 18, NAME_LEAST = 12 };

/* The row of a target, at the speedup to speak of; returns whether there is one. */
static bool put_target_row(FILE *out, const struct analysis_result *result, bool is_first,
                           const struct report_options *options)
{
    struct latency_at all[SPEEDUPS];
    double speedup;
    if (!isfinite(result->impact) || result->curve_count == 0)
        return false;
    headline_effect(result, &speedup);
    size_t count =
        latencies_of(options->latencies, result->kind, result->location, result->point, all, SPEEDUPS);
    const struct latency_at *at = latency_at_speedup(all, count, speedup);
    if (!at)
        return false;
    /* A narrow terminal has no room for what lies between. */
    bool is_narrow = options->width < SPEEDUP_COLUMNS + 3 * CELL_COLUMNS + NAME_LEAST;
    int room = options->width - SPEEDUP_COLUMNS - (is_narrow ? 2 : 3) * CELL_COLUMNS;
    if (is_first)
        fprintf(out, "\n%% saved of the median and of the slowest:\n  %%     %-*s%-*s%-*s%s\n", CELL_COLUMNS,
                "half take", is_narrow ? 0 : CELL_COLUMNS, is_narrow ? "" : "90 % take", CELL_COLUMNS,
                "99 % take", results_noun(result, 1));
    fprintf(out, "%*g   ", SPEEDUP_COLUMNS - 3, 100 * at->speedup);
    for (int q = 0; q < LATENCY_QUANTILES; q += is_narrow ? 2 : 1) {
        char cell[64] = "";
        FILE *text = fmemopen(cell, sizeof cell, "w");
        if (text) {
            put_saved(text, &at->effects[q]);
            fclose(text);
        }
        fprintf(out, "%-*s", CELL_COLUMNS, cell);
    }
    char *location = location_shown(result);
    put_place(out, location ? location : "?", (size_t)(room > NAME_LEAST ? room : NAME_LEAST),
              kind_is_of_lines(result->kind), options->utf8);
    putc('\n', out);
    free(location);
    return true;
}

void put_latencies(FILE *out, const struct analysis_result *results, size_t count,
                   const struct report_options *options)
{
    struct latency_point point;
    if (!options->latencies || results[0].metric != METRIC_LATENCY ||
        !latencies_point(options->latencies, results[0].point, &point) || !isfinite(point.arrivals_s))
        return;
    struct flow flow;
    FILE *stream = put_flow(&flow, out);
    char *name = clean_text(results[0].point, true);
    fprintf(stream, "\nOf `%s` ", name ? name : "?");
    free(name);
    put_latency_point(stream, &point);
    put_flow_end(&flow, (size_t)options->width);
    size_t shown = 0;
    for (size_t i = 0; i < count && shown < TARGETS_SHOWN; i++)
        if (results[i].verdict != VERDICT_TOO_LITTLE)
            shown += put_target_row(out, &results[i], shown == 0, options);
}

void put_target_latencies(FILE *out, const struct analysis_result *result,
                          const struct report_options *options)
{
    struct latency_at all[SPEEDUPS];
    if (!options->latencies || result->metric != METRIC_LATENCY)
        return;
    size_t count =
        latencies_of(options->latencies, result->kind, result->location, result->point, all, SPEEDUPS);
    if (count > 0)
        put_latency_table(out, all, count);
}

static void put_one_disagreement(FILE *out, const struct analysis_result *latency,
                                 const struct analysis_result *throughput,
                                 const struct report_options *options)
{
    char *target = location_shown(latency), *unit = clean_text(latency->point, true),
         *visit = clean_text(throughput->point, true);
    struct flow flow;
    FILE *stream = put_flow(&flow, out);
    put_disagreement(stream, latency, throughput, target ? target : "?", unit ? unit : "?",
                     visit ? visit : "?");
    put_flow_end(&flow, (size_t)options->width);
    free(target);
    free(unit);
    free(visit);
}

void put_disagreements(FILE *out, const struct analysis_result *results, size_t count,
                       const struct report_options *options)
{
    size_t said = 0;
    for (size_t i = 0; i < count && said < DISAGREEMENTS; i++)
        for (size_t j = 0; j < count && said < DISAGREEMENTS; j++)
            if (latency_disagrees(&results[i], &results[j]) && option_wants(options, &results[i]) &&
                option_wants(options, &results[j])) {
                if (said++ == 0)
                    putc('\n', out);
                put_one_disagreement(out, &results[i], &results[j], options);
            }
}
