#include "report/latency/words.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

void put_time(FILE *out, double ns)
{
    static const struct {
        double ns;
        const char *unit;
    } units[] = {{1e9, "s"}, {1e6, "ms"}, {1e3, "us"}, {1, "ns"}};
    size_t unit = 0;
    while (unit < 3 && ns < 0.9995 * units[unit].ns)
        unit++;
    double value = ns / units[unit].ns;
    fprintf(out, "%.*f %s", value < 9.995 ? 2 : value < 99.95 ? 1 : 0, value, units[unit].unit);
}

static double percent(double share)
{
    double rounded = round(100 * share);
    return rounded == 0 ? 0 : rounded;
}

void put_saved(FILE *out, const struct latency_value *effect)
{
    if (!isfinite(effect->value)) {
        fputs("-", out);
        return;
    }
    fprintf(out, "%.0f", percent(effect->value));
    if (isfinite(effect->low) && isfinite(effect->high))
        fprintf(out, " (%.0f to %.0f)", percent(effect->low), percent(effect->high));
}

static void put_quantile(FILE *out, const struct latency_value *ns)
{
    put_time(out, ns->value);
    if (!isfinite(ns->low) || !isfinite(ns->high))
        return;
    fputs(" (", out);
    put_time(out, ns->low);
    fputs(" to ", out);
    put_time(out, ns->high);
    fputs(")", out);
}

static void put_distribution(FILE *out, const struct latency_at *at)
{
    static const char *const heads[] = {"Half of them take at most ", "90 % at most ", "99 % at most "};
    const char *joint = "";
    for (int q = 0; q < LATENCY_QUANTILES; q++) {
        if (!isfinite(at->ns[q].value))
            continue;
        fprintf(out, "%s%s", joint, heads[q]);
        put_quantile(out, &at->ns[q]);
        joint = ", ";
    }
    if (*joint)
        fputs(".\n", out);
}

static void put_warnings(FILE *out, const struct latency_point *point)
{
    if (point->flow == FLOW_GROWS)
        fputs(
            "More begin than end: the queue is not stable. Latency grows as long as that goes on, and what is told of "
            "it is how long the program ran; give it less to do, or look at the throughput.\n",
            out);
    else if (point->flow == FLOW_UNMATCHED)
        fputs("More end than begin: some are not marked where they begin, and the mean is too small.\n", out);
    if (point->unmatched || point->refused)
        fprintf(
            out,
            "%" PRIu64 " ended and nobody knows when they began, and %" PRIu64
            " began that there was no room for, or with the id of one that had not ended: these are not among "
            "them.\n",
            point->unmatched, point->refused);
}

void put_latency_point(FILE *out, const struct latency_point *point)
{
    if (!isfinite(point->arrivals_s))
        return;
    fprintf(out, "%.*f a second begin and %.*f end", point->arrivals_s < 9.95 ? 2 : 0, point->arrivals_s,
            point->departures_s < 9.95 ? 2 : 0, point->departures_s);
    if (isfinite(point->mean_ns)) {
        fputs("; when nothing is changed they take ", out);
        put_time(out, point->mean_ns);
        fprintf(out, " in the mean, and %.*f are in progress", point->in_progress < 9.95 ? 2 : 0,
                point->in_progress);
    }
    fputs(".\n", out);
    if (point->at.units && point->at.speedup == 0)
        put_distribution(out, &point->at);
    put_warnings(out, point);
}

void put_latency_table(FILE *out, const struct latency_at *all, size_t count)
{
    fputs("\n  faster     units  half take, saved %        90 % take, saved %        99 % take, saved %\n",
          out);
    for (size_t i = 0; i < count; i++) {
        fprintf(out, "%6g %% %9" PRIu64, 100 * all[i].speedup, all[i].units);
        for (int q = 0; q < LATENCY_QUANTILES; q++) {
            char cell[64] = "  -";
            FILE *text = fmemopen(cell, sizeof cell, "w");
            if (text && isfinite(all[i].ns[q].value)) {
                fputs("  ", text);
                put_time(text, all[i].ns[q].value);
                if (isfinite(all[i].effects[q].value)) {
                    fputs(", ", text);
                    put_saved(text, &all[i].effects[q]);
                }
            }
            if (text)
                fclose(text);
            fprintf(out, q + 1 < LATENCY_QUANTILES ? "%-26s" : "%s", cell);
        }
        putc('\n', out);
    }
}

const struct latency_at *latency_at_speedup(const struct latency_at *all, size_t count, double speedup)
{
    for (size_t i = 0; i < count; i++)
        if (fabs(all[i].speedup - speedup) < 5e-4 && isfinite(all[i].effects[0].value))
            return &all[i];
    return NULL;
}

/* ---- latency and throughput ---- */

bool latency_disagrees(const struct analysis_result *latency, const struct analysis_result *throughput)
{
    return latency->metric == METRIC_LATENCY && throughput->metric == METRIC_THROUGHPUT &&
           latency->verdict != VERDICT_TOO_LITTLE && throughput->verdict != VERDICT_TOO_LITTLE &&
           latency->verdict != throughput->verdict && strcmp(latency->location, throughput->location) == 0 &&
           strcmp(latency->kind, throughput->kind) == 0;
}

void put_disagreement(FILE *out, const struct analysis_result *latency,
                      const struct analysis_result *throughput, const char *target, const char *unit,
                      const char *visit)
{
    static const char *const takes[] = {"takes less time", "takes no less time", "takes longer"};
    static const char *const comes[] = {"comes more often", "comes no more often", "comes less often"};
    fprintf(out, "When %s is faster, `%s` %s, and `%s` %s. That is no contradiction: ", target, unit,
            takes[latency->verdict], visit, comes[throughput->verdict]);
    if (latency->verdict == VERDICT_IMPROVES)
        fputs(
            "something else than that line sets the rate, as what arrives from outside does; a unit only stays "
            "shorter.\n",
            out);
    else if (throughput->verdict == VERDICT_IMPROVES)
        fputs(
            "units in progress are rate times latency, so there are more of them at once, and each waits for the "
            "others.\n",
            out);
    else
        fputs("units in progress are rate times latency, so their number is what changes.\n", out);
}
