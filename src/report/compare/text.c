/* A comparison for a terminal. */
#include "report/cells.h"
#include "report/compare/words.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { BEFORE_COLUMNS = 8, AFTER_COLUMNS = 7, CHANGE_COLUMNS = 8, LEAST_COLUMNS = 10, MOST_COLUMNS = 9 };
enum { VERDICT_COLUMNS = 17, LINE_LEAST = 12, LINE_WANTED = 18, ONLY_LINES = 8 };

/* Broken on a terminal only: somebody may look for it in a file. */
static void __attribute__((format(printf, 3, 4)))
put_sentence(FILE *out, const struct report_options *options, const char *format, ...)
{
    char *text;
    va_list args;
    va_start(args, format);
    if (vasprintf(&text, format, args) < 0)
        text = NULL;
    va_end(args);
    if (text)
        put_wrapped(out, text, options->wraps ? (size_t)options->width : 0);
    free(text);
}

static void put_heads(FILE *out, const struct compare_report *report, const struct report_options *options)
{
    const struct compare_side *sides[] = {report->before, report->after};
    for (int i = 0; i < 2; i++) {
        struct side_sums sums = side_sums(sides[i]);
        put_sentence(out, options, "%s %s: %zu run%s, %.0f s, %llu windows.",
                     i ? "After: " : "Before:", report->names[i], sums.runs, sums.runs == 1 ? "" : "s",
                     sums.runtime_s, sums.windows);
    }
}

static void put_differences(FILE *out, const struct compare_report *report,
                            const struct report_options *options)
{
    char sentences[DIFFERENCES_MOST][DIFFERENCE_BYTES];
    size_t count = find_differences(report, sentences, DIFFERENCES_MOST);
    for (size_t i = 0; i < count; i++)
        put_sentence(out, options, "Note: %s", sentences[i]);
}

static void put_rate(FILE *out, const struct compare_rate *rate, const struct report_options *options)
{
    char before[48], after[48];
    const char *what = rate->metric == METRIC_LATENCY ? "Latency" : "Rate";
    format_rate(before, sizeof before, rate, rate->before);
    format_rate(after, sizeof after, rate, rate->after);
    if (isnan(rate->change))
        put_sentence(out, options, "%s of `%s`: %s before, %s after; not enough data to compare.", what,
                     rate->point, before, after);
    else if (rate->verdict == COMPARE_CHANGED)
        put_sentence(out, options, "%s of `%s`: %s before, %s after: changed by %+.1f %% (%+.1f to %+.1f).",
                     what, rate->point, before, after, 100 * rate->change, 100 * rate->low, 100 * rate->high);
    else
        put_sentence(out, options, "%s of `%s`: %s before, %s after: %s (%+.1f to %+.1f %%).", what,
                     rate->point, before, after,
                     rate->verdict == COMPARE_SAME ? "no change shown" : "not enough data to tell",
                     100 * rate->low, 100 * rate->high);
}

static void put_rates(FILE *out, const struct compare_report *report, const struct report_options *options)
{
    bool single = false;
    putc('\n', out);
    for (size_t i = 0; i < report->comparison->rate_count; i++) {
        const struct compare_rate *rate = &report->comparison->rates[i];
        if (!rate_is_wanted(rate, options))
            continue;
        put_rate(out, rate, options);
        single |= !isnan(rate->change) && rate->runs[0] == 1 && rate->runs[1] == 1;
    }
    if (single)
        put_sentence(
            out, options,
            "(One run each: how much one run differs from the next is not seen, and 1 %% allowed for."
            " More runs in each profile would tell.)");
}

struct columns {
    size_t line;
    bool impacts;
};

static struct columns fit_columns(const struct compare_target *targets, size_t count, int width)
{
    long fixed = CHANGE_COLUMNS + LEAST_COLUMNS + MOST_COLUMNS + VERDICT_COLUMNS;
    size_t longest = LINE_LEAST;
    for (size_t i = 0; i < count; i++) {
        char *location = row_location(&targets[i]);
        size_t own = location ? text_columns(location) + 2 : 1;
        free(location);
        longest = own > longest ? own : longest;
    }
    struct columns columns = {.impacts = width - fixed - BEFORE_COLUMNS - AFTER_COLUMNS >= LINE_WANTED};
    long room = width - fixed - (columns.impacts ? BEFORE_COLUMNS + AFTER_COLUMNS : 0);
    room = room < LINE_LEAST ? LINE_LEAST : room;
    columns.line = longest < (size_t)room ? longest : (size_t)room;
    return columns;
}

static void put_head(FILE *out, const char *noun, const struct columns *columns,
                     const struct report_options *options)
{
    fprintf(out, "%s  %-*s", options->colour ? "\033[1m" : "", (int)columns->line - 2, noun);
    if (columns->impacts)
        fprintf(out, "%*s%*s", BEFORE_COLUMNS, "before", AFTER_COLUMNS, "after");
    fprintf(out, "%*s%*s%*s  verdict%s\n", CHANGE_COLUMNS, "change", LEAST_COLUMNS, "at least", MOST_COLUMNS,
            "at most", options->colour ? "\033[0m" : "");
}

static void put_number(FILE *out, double value, int columns, bool sign)
{
    if (isfinite(value))
        fprintf(out, sign ? "%+*.1f" : "%*.1f", columns, 100 * value);
    else
        fprintf(out, "%*s", columns, "-");
}

static void put_row(FILE *out, const struct compare_target *target, const struct columns *columns,
                    const struct report_options *options)
{
    char *location = row_location(target);
    bool bold = options->colour && target->verdict == COMPARE_CHANGED;
    fputs(target->by == MATCH_ORDER ? "~ " : "  ", out);
    put_cut(out, location ? location : "?", columns->line - 2,
            end_tells_more(row_result(target)->kind, location), options->utf8);
    free(location);
    if (columns->impacts) {
        put_number(out, target->before->impact, BEFORE_COLUMNS, false);
        put_number(out, target->after->impact, AFTER_COLUMNS, false);
    }
    put_number(out, target->change, CHANGE_COLUMNS, true);
    put_number(out, target->low, LEAST_COLUMNS, true);
    put_number(out, target->high, MOST_COLUMNS, true);
    fprintf(out, "  %s%s%s\n", bold ? "\033[1m" : "", compare_verdict_name(target->verdict),
            bold ? "\033[0m" : "");
}

/* What only one profile has: whether it was gone, or was not sampled, nobody can tell from here. */
static void put_only(FILE *out, const struct compare_target *targets, size_t count, bool after,
                     const struct report_options *options)
{
    size_t shown = 0, left = 0;
    for (size_t i = 0; i < count; i++) {
        const struct analysis_result *result = after ? targets[i].after : targets[i].before;
        if (targets[i].by != MATCH_NONE || !result)
            continue;
        if (!options->all && (result->verdict == VERDICT_TOO_LITTLE || shown == ONLY_LINES)) {
            left++;
            continue;
        }
        if (shown++ == 0)
            fprintf(out, "Tried %s only:\n", after ? "after" : "before");
        char *location = location_shown(result);
        size_t own = location ? text_columns(location) : 1, room = (size_t)options->width - 34;
        fputs("    ", out);
        put_cut(out, location ? location : "?", own < room ? own : room,
                end_tells_more(result->kind, location), options->utf8);
        free(location);
        if (isnan(result->impact))
            fputs(": impact unknown\n", out);
        else
            fprintf(out, ": impact %.1f (%.1f to %.1f)\n", 100 * result->impact, 100 * result->low,
                    100 * result->high);
    }
    if (left > 0)
        fprintf(out, "%s%zu %stried %s only (--all shows %s)\n", shown ? "    ... and " : "", left,
                shown ? "more " : "", after ? "after" : "before", left == 1 ? "it" : "them");
}

/* Those of one point. */
static void put_targets(FILE *out, const struct compare_target *targets, size_t count,
                        const struct report_options *options)
{
    size_t pairs = 0, shown = 0, unsure = 0, left = 0;
    const struct analysis_result *first = row_result(targets);
    while (pairs < count && targets[pairs].by != MATCH_NONE)
        pairs++;
    struct columns columns = fit_columns(targets, pairs, options->width);
    for (size_t i = 0; i < pairs; i++) {
        if (!options->all && targets[i].verdict == COMPARE_TOO_LITTLE) {
            unsure++;
            continue;
        }
        if (options->top && shown >= options->top) {
            left++;
            continue;
        }
        if (shown++ == 0) {
            putc('\n', out);
            put_sentence(out, options, "Impact on %s`%s`, in points, before and after:",
                         first->metric == METRIC_LATENCY ? "the latency of " : "", first->point);
            put_head(out, results_noun(first, 1), &columns, options);
        }
        put_row(out, &targets[i], &columns, options);
    }
    if (left > 0)
        fprintf(out, "    ... and %zu more (--top 0 shows them)\n", left);
    if (unsure > 0)
        put_sentence(out, options, "%sOf %zu%s there is not enough data to tell (--all shows them).",
                     shown ? "" : "\n", unsure, shown ? " more" : " that both profiles tried");
    put_only(out, targets + pairs, count - pairs, true, options);
    put_only(out, targets + pairs, count - pairs, false, options);
}

static void put_conditions(FILE *out, const struct compare_report *report,
                           const struct report_options *options)
{
    for (size_t i = 0; i < report->condition_count; i++) {
        static const char *const words[] = {"too little is known to tell", "met", "not met"};
        if (i == 0)
            putc('\n', out);
        put_sentence(out, options, "--fail-if '%s': %s. %s", report->conditions[i].text,
                     words[report->conditions[i].outcome], report->conditions[i].why);
    }
}

void compare_text(FILE *out, const struct compare_report *report, const struct report_options *options)
{
    const struct comparison *comparison = report->comparison;
    put_heads(out, report, options);
    put_differences(out, report, options);
    put_rates(out, report, options);
    for (size_t i = 0, n; i < comparison->target_count; i += n) {
        const struct analysis_result *first = row_result(&comparison->targets[i]);
        for (n = 1; i + n < comparison->target_count; n++) {
            const struct analysis_result *next = row_result(&comparison->targets[i + n]);
            if (next->metric != first->metric || strcmp(next->point, first->point) != 0)
                break;
        }
        if (target_is_wanted(&comparison->targets[i], options))
            put_targets(out, comparison->targets + i, n, options);
    }
    put_conditions(out, report, options);
}
