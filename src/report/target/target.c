#include "report/target/target.h"

#include "report/advice.h"
#include "report/ink.h"
#include "report/latencies.h"
#include "report/snippet.h"
#include "report/target/callers.h"
#include "report/target/came_true.h"
#include "report/target/find.h"
#include "report/target/plot.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SINGLES_MOST = 3000 };

#define HALF_WANTED 0.05 /* to either side, of an impact: known well enough to choose by */

/* Names as they are printed. */
struct names {
    char *target, *point, *function;
};

static const char *or_unknown(const char *text)
{
    return text ? text : "?";
}

/* "forkjoin.c:26", or the function's name. */
static char *short_name(const struct analysis_result *result)
{
    char *shown = location_shown(result);
    const char *slash = shown && strcmp(result->kind, "line") == 0 ? strrchr(shown, '/') : NULL;
    char *name = slash ? strdup(slash + 1) : NULL;
    if (!name)
        return shown;
    free(shown);
    return name;
}

/* To a tenth where it is little. */
static int digits_for(double share)
{
    return fabs(share) < 0.0995 ? 1 : 0;
}

static void put_interval(FILE *out, double low, double high, int digits)
{
    if (isfinite(low) && isfinite(high))
        fprintf(out, "%.*f to %.*f", digits, percent_of(low, digits), digits, percent_of(high, digits));
    else
        fputs("interval unknown", out);
}

/* "Making a.c:1 50 % faster makes `p` 21 % (13 to 28) faster." */
static void put_promise(FILE *out, const struct analysis_result *result, const struct names *names)
{
    double speedup;
    struct effect_at at = headline_effect(result, &speedup);
    bool gains = at.effect >= 0, latency = result->metric == METRIC_LATENCY;
    double sign = gains ? 1 : -1;
    int digits = digits_for(at.effect);
    fprintf(out, "Making %s %g %% %s makes %s`%s` %.*f %% (", or_unknown(names->target), 100 * fabs(speedup),
            speedup_word(result, speedup > 0), latency ? "the latency of " : "", or_unknown(names->point),
            digits, percent_of(sign * at.effect, digits));
    put_interval(out, sign * (gains ? at.low : at.high), sign * (gains ? at.high : at.low), digits);
    fprintf(out, ") %s.", latency ? (gains ? "shorter" : "longer") : (gains ? "faster" : "slower"));
}

/* Why there is no number at all: it is among what is hidden. */
static const char *find_reason(struct analysis *analysis, const struct analysis_result *result)
{
    const struct analysis_hidden *hidden;
    size_t count = analysis_hidden(analysis, &hidden);
    for (size_t i = 0; i < count; i++)
        if (strcmp(hidden[i].location, result->location) == 0)
            return hidden[i].why;
    return "not enough data";
}

static void put_finding(FILE *out, struct analysis *analysis, const struct analysis_result *result,
                        const struct names *names)
{
    bool latency = result->metric == METRIC_LATENCY;
    switch (result->verdict) {
    case VERDICT_IMPROVES:
        put_promise(out, result, names);
        break;
    case VERDICT_HARMFUL:
        put_promise(out, result, names);
        fputs(" That is the mark of contention: less sharing there helps, more speed does not.", out);
        break;
    case VERDICT_NO_EFFECT:
        fprintf(out, "Making %s %s has no effect on %s`%s`: if it took no time at all, that would be ",
                or_unknown(names->target), speedup_word(result, true), latency ? "the latency of " : "",
                or_unknown(names->point));
        put_interval(out, result->low, result->high, 1);
        fprintf(out, " %% less %s.", latency ? "latency" : "time for each visit");
        break;
    case VERDICT_TOO_LITTLE: {
        char *doubt = isnan(result->impact) ? NULL : explain_doubt(result);
        fprintf(out, "%s: %s.", or_unknown(names->target), doubt ? doubt : find_reason(analysis, result));
        free(doubt);
        break;
    }
    }
    putc('\n', out);
}

/* How sure, and how hot. */
static void put_numbers(FILE *out, const struct analysis *analysis, const struct analysis_result *result)
{
    size_t windows = 0;
    for (size_t i = 0; i < result->curve_count; i++)
        windows += result->curve[i].windows;
    fprintf(out, "Impact %.1f", percent_of(result->impact, 1));
    if (isfinite(result->low) && isfinite(result->high))
        fprintf(out, " (95 %% sure: %.1f to %.1f)", percent_of(result->low, 1), percent_of(result->high, 1));
    fprintf(out, ", from %zu windows beside their baselines; %.1f %% of the samples.", windows,
            100 * result->share);
    double times = analysis_longer(result, HALF_WANTED);
    double more_ns = (times - 1) * (double)analysis_runtime_ns(analysis);
    if (isnan(times)) {
        fputs(" No length of run will tell it to 5 points either way", out);
    } else if (times > 1 && more_ns <= 0) {
        /* The profile does not tell how long it took. */
        fprintf(out, " %.1f times as many windows would tell it to 5 points either way", times);
    } else if (times > 1) {
        fputs(" About ", out);
        put_duration(out, more_ns);
        fputs(" more of run time would tell it to 5 points either way", out);
    } else {
        fputs(" That is known to 5 points either way", out);
    }
    fputs(".\n", out);
}

static void put_heading(FILE *out, const struct analysis_result *result, const struct names *names,
                        const struct report_options *options)
{
    char *whole = location_shown(result);
    size_t verdict = strlen(analysis_verdict_name(result->verdict));
    size_t function = names->function ? text_columns(names->function) + 2 : 0;
    size_t wide = whole ? text_columns(whole) : 1, room = (size_t)options->width - verdict - 2;
    bool has_function = function > 0 && wide + function <= room;
    room -= has_function ? function : 0;
    bool linked = put_link(out, result->location, location_path_length(result), options);
    put_ink(out, INK_BOLD, options);
    put_cut(out, or_unknown(whole), wide < room ? wide : room, end_tells_more(result->kind, whole),
            options->utf8);
    put_ink(out, INK_PLAIN, options);
    if (linked)
        put_link_end(out);
    if (has_function)
        fprintf(out, "  %s", names->function);
    fprintf(out, "%*s", (int)(room - (wide < room ? wide : room) + 2), "");
    put_ink(out, ink_of_verdict(result->verdict), options);
    fputs(analysis_verdict_name(result->verdict), out);
    put_ink(out, INK_PLAIN, options);
    putc('\n', out);
    free(whole);
}

/* The sentences, as wide as the terminal; whole where there is none. */
static void put_words(FILE *out, struct analysis *analysis, const struct found_target *found,
                      const struct analysis_result *result, const struct names *names,
                      const struct report_options *options)
{
    struct flow flow;
    FILE *stream = put_flow(&flow, out);
    put_finding(stream, analysis, result, names);
    put_reason(stream, result, options);
    if (isfinite(result->impact))
        put_numbers(stream, analysis, result);
    put_kink(stream, result, or_unknown(names->target), false);
    put_together(stream, result, found->all, found->all_count);
    put_limits(stream, result, 1);
    put_flow_end(&flow, options->wraps ? (size_t)options->width : 0);
}

static int put_curve(FILE *out, const struct analysis *analysis, const struct analysis_result *result,
                     const struct names *names, bool windows, const struct report_options *options)
{
    struct analysis_single *singles = calloc(SINGLES_MOST, sizeof *singles);
    if (!singles)
        return -ENOMEM;
    size_t count = windows ? analysis_singles(analysis, result, singles, SINGLES_MOST) : 0;
    bool latency = result->metric == METRIC_LATENCY;
    struct flow flow;
    fprintf(put_flow(&flow, out), "\n%s `%s` saved, by how much faster %s is:\n",
            latency ? "Latency of" : "Time for each visit of", or_unknown(names->point),
            or_unknown(names->target));
    put_flow_end(&flow, (size_t)options->width);
    size_t outside = 0;
    int rc = put_plot(out, result, singles, count, &outside, options);
    free(singles);
    if (rc == 0 && windows && count == 0)
        put_paragraph(out, "This profile tells no single windows.\n", (size_t)options->width);
    else if (rc == 0 && windows)
        put_paragraph(
            out,
            options->utf8
                ? "\n∘ one window as it was measured, ○ several; ● the curve that all of them make.\n"
                : "\nx one window as it was measured, X several; O the curve that all of them make.\n",
            (size_t)options->width);
    if (rc == 0 && outside > 0) {
        fprintf(put_flow(&flow, out), "%zu of %zu windows lie above or below the picture.\n", outside, count);
        put_flow_end(&flow, (size_t)options->width);
    }
    return rc;
}

static void put_source(FILE *out, const struct analysis *analysis, const struct found_target *found,
                       const struct analysis_result *result, const struct report_options *options)
{
    size_t path = location_path_length(result), first = 0, end;
    if (path == 0)
        return;
    /* The answers for the same progress point stand together. */
    while (found->all[first].point != result->point)
        first++;
    for (end = first; end < found->all_count && found->all[end].point == result->point;)
        end++;
    const struct snippet snippet = {.path = result->location,
                                    .path_length = path,
                                    .line = strtol(result->location + path + 1, NULL, 10),
                                    .lines = options->source,
                                    .answers = found->all + first,
                                    .answer_count = end - first};
    if (put_snippet(out, analysis, &snippet, options) == SNIPPET_CHANGED)
        put_changed(out, options);
}

/* What the same target does for the other progress points, in a line each. */
static void put_others(FILE *out, const struct found_target *found, const struct analysis_result *shown,
                       const struct report_options *options)
{
    bool first = true;
    for (size_t i = 0; i < found->count; i++) {
        const struct analysis_result *other = found->answers[i];
        if (other == shown)
            continue;
        char *point = clean_text(other->point, true);
        struct flow flow;
        FILE *stream = put_flow(&flow, out);
        if (first)
            fputs("\nFor the other progress points (--point NAME draws their curves):\n", stream);
        first = false;
        fprintf(stream, "    %s`%s`: %s", other->metric == METRIC_LATENCY ? "latency of " : "",
                or_unknown(point), analysis_verdict_name(other->verdict));
        if (isfinite(other->impact) && isfinite(other->low) && isfinite(other->high))
            fprintf(stream, ", impact %.1f (%.1f to %.1f)", percent_of(other->impact, 1),
                    percent_of(other->low, 1), percent_of(other->high, 1));
        putc('\n', stream);
        put_flow_end(&flow, (size_t)options->width);
        free(point);
    }
}

/* The one to draw: the first that says something. */
static const struct analysis_result *choose_answer(const struct found_target *found)
{
    for (size_t i = 0; i < found->count; i++)
        if (found->answers[i]->verdict == VERDICT_IMPROVES || found->answers[i]->verdict == VERDICT_HARMFUL)
            return found->answers[i];
    return found->answers[0];
}

int report_target(FILE *out, struct analysis *analysis, const struct report_options *options,
                  const char *wanted, bool windows, struct coz_error *err)
{
    struct found_target found;
    int rc = find_target(&found, analysis, options, wanted, err);
    if (rc)
        return rc;
    const struct analysis_result *result = choose_answer(&found);
    const char *function = analysis_function_of(analysis, result);
    struct names names = {short_name(result), clean_text(result->point, true),
                          function ? clean_text(function, true) : NULL};
    put_heading(out, result, &names, options);
    if (found.function)
        put_paragraph(out, "(of its lines that were tried, the one that pays most)\n",
                      (size_t)options->width);
    putc('\n', out);
    put_words(out, analysis, &found, result, &names, options);
    put_came_true(out, result->location, options);
    if (result->curve_count > 0)
        rc = put_curve(out, analysis, result, &names, windows, options);
    if (rc == 0) {
        put_target_latencies(out, result, options);
        put_source(out, analysis, &found, result, options);
        put_callers(out, analysis, result, options);
        put_others(out, &found, result, options);
    } else {
        error_set(err, ENOMEM, "out of memory");
    }
    bool has_answer = result->verdict != VERDICT_TOO_LITTLE;
    free(names.target);
    free(names.point);
    free(names.function);
    return rc ? rc : has_answer;
}
