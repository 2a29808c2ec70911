/* One line for each point of each curve, so that the table is flat; one without a point for what has no
 * curve. */
#include "report/cells.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

static void put_row(FILE *out, size_t rank, const struct analysis_result *result,
                    const struct curve_point *point)
{
    fprintf(out, "%zu,", rank);
    put_csv_text(out, result->kind);
    putc(',', out);
    put_csv_text(out, result->location);
    putc(',', out);
    put_csv_text(out, result->point);
    fprintf(out, ",%s,%" PRIu64, result->metric == METRIC_LATENCY ? "latency" : "throughput",
            result->samples);
    put_csv_number(out, result->share);
    fprintf(out, ",%s", analysis_verdict_name(result->verdict));
    put_csv_number(out, result->impact);
    put_csv_number(out, result->low);
    put_csv_number(out, result->high);
    put_csv_number(out, point->speedup);
    put_csv_number(out, point->effect);
    put_csv_number(out, point->low);
    put_csv_number(out, point->high);
    fprintf(out, ",%zu", point->windows);
    put_csv_number(out, result->more_ns);
    putc('\n', out);
}

void report_csv(FILE *out, struct analysis *analysis, const struct report_options *options)
{
    const struct analysis_result *results;
    size_t count = analysis_results(analysis, &results), rank = 0;
    fputs("rank,kind,location,point,metric,samples,share,verdict,impact,impact_low,impact_high,"
          "speedup,effect,low,high,windows,more_ns\n",
          out);
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || results[i].point != results[i - 1].point)
            rank = 0;
        if (!option_wants(options, &results[i]) || (options->top && rank >= options->top))
            continue;
        rank++;
        /* Tried in too few blocks: a line, so that the table names what the others name. */
        if (results[i].curve_count == 0)
            put_row(out, rank, &results[i], &(struct curve_point){NAN, NAN, NAN, NAN, 0});
        for (size_t j = 0; j < results[i].curve_count; j++)
            put_row(out, rank, &results[i], &results[i].curve[j]);
    }
}
