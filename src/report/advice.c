#include "report/advice.h"

#include "report/cells.h"
#include "report/ink.h"
#include "stats/answers/together.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STEP 0.1     /* of speed: what slopes are told for */
#define NOTHING 0.05 /* a slope within this of 0 is as good as none */

enum { FINDINGS = 4 };

const char *speedup_word(const struct analysis_result *result, bool faster)
{
    bool is_wait = kind_is_wait(result->kind);
    return faster ? (is_wait ? "shorter" : "faster") : is_wait ? "longer" : "slower";
}

struct effect_at headline_effect(const struct analysis_result *result, double *speedup)
{
    *speedup = 0.5;
    struct effect_at at = curve_at(result, 0.5);
    if (!at.known && result->curve_count > 0) {
        const struct curve_point *last = &result->curve[result->curve_count - 1];
        *speedup = last->speedup;
        at = (struct effect_at){true, false, last->effect, last->low, last->high};
    }
    return at;
}

/* Half of the impact's interval. */
static double half_width(const struct analysis_result *result)
{
    return (result->high - result->low) / 2;
}

/* No line is worth more than all of the time that it takes. */
static void put_excess(FILE *out, const struct analysis_result *results, size_t count)
{
    size_t excessive = 0;
    for (size_t i = 0; i < count; i++)
        excessive += results[i].low > 1;
    if (excessive > 0)
        fprintf(
            out,
            "%zu %s%s an impact above 100, which cannot be: while the others were paused, what they share "
            "with it (a cache line, a core) was its own.\n",
            excessive, results_noun(results, count), excessive == 1 ? " has" : "s have");
}

void put_limits(FILE *out, const struct analysis_result *results, size_t count)
{
    put_excess(out, results, count);
    static const double wide = 0.1, chief_part = 0.5;
    size_t limited = 0;
    double strain = 0;
    for (size_t i = 0; i < count; i++) {
        double half = half_width(&results[i]);
        if (!(half > wide && isfinite(half) && results[i].chance < chief_part * half))
            continue;
        limited++;
        strain = fmax(strain, results[i].strain);
    }
    if (limited > 0)
        fprintf(
            out,
            "Longer runs hardly narrow the interval%s of %zu %s%s: other threads stood still for up to %.0f %% of "
            "the time, and a pause is never quite as long as it is meant to be.\n",
            limited == 1 ? "" : "s", limited, results_noun(results, count), limited == 1 ? "" : "s",
            100 * fmin(1, strain / (1 + strain)));
}

/* "50 % faster there makes `p` 20 % (15 to 25) faster", or the same of slower, where only that was tried. */
static void put_promise(FILE *out, const struct analysis_result *best, const char *point,
                        const char *location)
{
    double speedup;
    struct effect_at at = headline_effect(best, &speedup);
    bool faster = speedup > 0, latency = best->metric == METRIC_LATENCY;
    double sign = faster ? 100 : -100, low = sign * (faster ? at.low : at.high);
    double high = sign * (faster ? at.high : at.low);
    char interval[64] = "interval unknown";
    if (isfinite(low) && isfinite(high))
        snprintf(interval, sizeof interval, "%.0f to %.0f", low, high);
    fprintf(out, "Making %s %s pays most: %.0f %% %s there makes %s`%s` %.0f %% (%s) %s.\n", location,
            speedup_word(best, true), sign * speedup, speedup_word(best, faster),
            latency ? "the latency of " : "", point, sign * at.effect, interval,
            latency ? (faster ? "shorter" : "longer") : (faster ? "faster" : "slower"));
}

/* What it would take to know of those without enough data: how much longer a run for the first of them, and
 * for all that any length will do for. */
static void put_patience(FILE *out, const struct analysis_result *results, size_t count)
{
    size_t hopeful = 0, hopeless = 0;
    double first = INFINITY, all = 0;
    for (size_t i = 0; i < count; i++) {
        if (results[i].verdict != VERDICT_TOO_LITTLE)
            continue;
        if (isinf(results[i].more_ns))
            hopeless++;
        else
            hopeful++;
        if (isfinite(results[i].more_ns)) {
            first = fmin(first, results[i].more_ns);
            all = fmax(all, results[i].more_ns);
        }
    }
    const char *noun = results_noun(results, count);
    if (hopeful) {
        fprintf(out, "Run longer (or again: runs add up) for the %zu %s%s without enough data", hopeful, noun,
                hopeful == 1 ? "" : "s");
        if (isfinite(first)) {
            fputs(": about ", out);
            put_duration(out, first);
            fputs(" more", out);
        }
        if (all > 1.5 * first) {
            fputs(" for the first, ", out);
            put_duration(out, all);
            fputs(" for all", out);
        }
        fputs(hopeless ? ". " : ".\n", out);
    }
    if (hopeless)
        fprintf(out, "No length of run will tell of %s %zu %s%s%s.\n", hopeful ? "another" : "the", hopeless,
                noun, hopeless == 1 ? "" : "s", hopeful ? "" : " without enough data");
}

void put_advice(FILE *out, const struct analysis_result *results, size_t count)
{
    const struct analysis_result *best = &results[0];
    char *point = clean_text(best->point, true), *location = clean_text(best->location, true);
    if (best->verdict == VERDICT_IMPROVES && location && point) {
        put_promise(out, best, point, location);
    } else {
        size_t unsure = 0;
        for (size_t i = 0; i < count; i++)
            unsure += results[i].verdict == VERDICT_TOO_LITTLE;
        fprintf(out, "No %s is shown to make `%s` faster. ", results_noun(results, count),
                point ? point : "?");
        if (unsure > 0)
            put_patience(out, results, count);
        else
            fputs("Its time goes into what was not tried: waiting, or code that is out of scope.\n", out);
    }
    free(point);
    free(location);
}

char *explain_doubt(const struct analysis_result *result)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    fprintf(out, "not enough data (%.0f to %.0f %% of `%.40s`); ", 100 * result->low, 100 * result->high,
            result->point);
    if (isinf(result->more_ns)) {
        fputs("no length of run will tell", out);
    } else {
        fputs("run ", out);
        if (!isnan(result->more_ns)) {
            fputs("about ", out);
            put_duration(out, result->more_ns);
            putc(' ', out);
        }
        fputs("longer", out);
    }
    fclose(out);
    return text;
}

/* ---- what a curve shows beside its height ---- */

/* "costs 6.0 %", of the visits' time or latency. */
static void put_cost(FILE *out, double effect)
{
    fprintf(out, "%s %.1f %%", effect < 0 ? "costs" : "saves", 100 * fabs(effect));
}

void put_kink(FILE *out, const struct analysis_result *result, const char *location, bool shown_only)
{
    const struct kink *kink = &result->kink;
    if (!isfinite(kink->change) || (shown_only && !result->has_kink))
        return;
    if (!result->has_kink)
        fputs("No bend at 0 is shown: ", out);
    else if (kink->change < 0 && fabs(kink->faster) <= NOTHING)
        fputs("Just off the critical path: ", out);
    else
        fputs("A bend at 0: ", out);
    char *point = clean_text(result->point, true);
    fprintf(out, "%.0f %% slower at %s ", 100 * STEP, location);
    put_cost(out, -STEP * kink->slower);
    fprintf(out, " of %s`%s`, %.0f %% faster ", result->metric == METRIC_LATENCY ? "the latency of " : "",
            point ? point : "?", 100 * STEP);
    put_cost(out, STEP * kink->faster);
    if (result->has_kink && kink->change < 0)
        fputs(". Something else that has to be waited for is about as slow", out);
    fputs(".\n", out);
    free(point);
}

static void put_impact(FILE *out, const struct analysis_result *result)
{
    fprintf(out, "%.0f", 100 * result->impact);
    if (isfinite(result->low) && isfinite(result->high))
        fprintf(out, " (%.0f to %.0f)", 100 * result->low, 100 * result->high);
}

static void put_sum(FILE *out, const struct analysis_result *result, const struct analysis_result *results,
                    size_t count, const struct together *found)
{
    fputs("one by one ", out);
    for (size_t i = 0; i < found->parts; i++) {
        const struct analysis_result *part = together_part(result, results, count, i);
        fprintf(out, "%s%.0f", i ? " and " : "", 100 * part->impact);
    }
    fprintf(out, ", which makes %.0f: ", 100 * found->sum);
}

void put_together(FILE *out, const struct analysis_result *result, const struct analysis_result *results,
                  size_t count)
{
    struct together found;
    if (!together_find(result, results, count, &found))
        return;
    char *location = location_shown(result);
    fprintf(out, "%s at once", location ? location : "?");
    free(location);
    if (isnan(result->impact) || isnan(found.sum)) {
        fputs(": whether the effects add is not known yet. Run longer.\n", out);
        return;
    }
    fputs(" have an impact of ", out);
    put_impact(out, result);
    fputs(", ", out);
    put_sum(out, result, results, count, &found);
    switch (found.finding) {
    case TOGETHER_ADD:
        fputs("the effects add.\n", out);
        break;
    case TOGETHER_MORE:
        fputs("they pay more at once, for each by itself leaves the other one to wait for.\n", out);
        break;
    case TOGETHER_LESS:
        fputs("they pay less at once, for what one saves the other one cannot save again.\n", out);
        break;
    case TOGETHER_UNKNOWN:
        fprintf(out,
                "whether the effects add is not known yet (the difference is %.0f to %.0f). Run longer.\n",
                100 * found.low, 100 * found.high);
        break;
    }
}

void put_findings(FILE *out, const struct analysis_result *results, size_t count,
                  const struct report_options *options)
{
    size_t said = 0;
    for (size_t i = 0; i < count && said < FINDINGS; i++) {
        bool is_together = strcmp(results[i].kind, "together") == 0;
        if (!is_together && !results[i].has_kink)
            continue;
        struct flow flow;
        FILE *stream = put_flow(&flow, out);
        if (said++ == 0)
            putc('\n', stream);
        char *location = location_shown(&results[i]);
        put_together(stream, &results[i], results, count);
        put_kink(stream, &results[i], location ? location : "?", true);
        free(location);
        put_flow_end(&flow, (size_t)options->width);
    }
}
