/* A comparison for other programs, and for pull requests. */
#include "report/cells.h"
#include "report/compare/words.h"
#include "report/markdown.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- CSV ---- */

static void put_quoted(FILE *out, const char *raw)
{
    putc(',', out);
    if (raw)
        put_csv_text(out, raw);
}

static const char *metric_name(enum analysis_metric metric)
{
    return metric == METRIC_LATENCY ? "latency" : "throughput";
}

static void put_csv_target(FILE *out, const struct compare_target *target)
{
    const struct analysis_result *before = target->before, *after = target->after, *any = row_result(target);
    fputs("impact", out);
    put_quoted(out, any->point);
    fprintf(out, ",%s", metric_name(any->metric));
    put_quoted(out, any->kind);
    put_quoted(out, before ? before->location : NULL);
    put_quoted(out, after ? after->location : NULL);
    fprintf(out, ",%s", match_name(target->by));
    put_csv_number(out, before ? before->impact : NAN);
    put_csv_number(out, after ? after->impact : NAN);
    put_csv_number(out, target->change);
    put_csv_number(out, target->low);
    put_csv_number(out, target->high);
    put_csv_number(out, target->chance);
    fprintf(out, ",%s\n", target->by == MATCH_NONE ? "" : compare_verdict_name(target->verdict));
}

void compare_csv(FILE *out, const struct compare_report *report, const struct report_options *options)
{
    fputs(
        "what,point,metric,kind,location_before,location_after,matched,before,after,change,low,high,chance,verdict\n",
        out);
    for (size_t i = 0; i < report->comparison->rate_count; i++) {
        const struct compare_rate *rate = &report->comparison->rates[i];
        if (!rate_is_wanted(rate, options))
            continue;
        fputs(rate->metric == METRIC_LATENCY ? "latency" : "rate", out);
        put_quoted(out, rate->point);
        fprintf(out, ",%s,,,,", metric_name(rate->metric));
        put_csv_number(out, rate->before);
        put_csv_number(out, rate->after);
        put_csv_number(out, rate->change);
        put_csv_number(out, rate->low);
        put_csv_number(out, rate->high);
        put_csv_number(out, rate->chance);
        fprintf(out, ",%s\n", compare_verdict_name(rate->verdict));
    }
    for (size_t i = 0; i < report->comparison->target_count; i++)
        if (target_is_wanted(&report->comparison->targets[i], options))
            put_csv_target(out, &report->comparison->targets[i]);
}

/* ---- Markdown ---- */

static void put_interval(FILE *out, double low, double high)
{
    if (isfinite(low) && isfinite(high))
        fprintf(out, " %+.1f to %+.1f |", 100 * low, 100 * high);
    else
        fputs(" – |", out);
}

static void put_md_verdict(FILE *out, enum compare_verdict verdict)
{
    const char *emphasis = verdict == COMPARE_CHANGED ? "**" : "";
    fprintf(out, " %s%s%s |\n", emphasis, compare_verdict_name(verdict), emphasis);
}

static void put_md_rates(FILE *out, const struct compare_report *report, const struct report_options *options)
{
    fputs("\n| progress point | before | after | change, % | 95 % interval | verdict |\n"
          "|:--|--:|--:|--:|:-:|:--|\n",
          out);
    for (size_t i = 0; i < report->comparison->rate_count; i++) {
        const struct compare_rate *rate = &report->comparison->rates[i];
        char before[48], after[48];
        if (!rate_is_wanted(rate, options))
            continue;
        format_rate(before, sizeof before, rate, rate->before);
        format_rate(after, sizeof after, rate, rate->after);
        fputs(rate->metric == METRIC_LATENCY ? "| latency of " : "| rate of ", out);
        put_code(out, rate->point);
        fprintf(out, " | %s | %s |", before, after);
        put_cell(out, rate->change, 1);
        put_interval(out, rate->low, rate->high);
        put_md_verdict(out, rate->verdict);
    }
}

static void put_md_target(FILE *out, const struct compare_target *target)
{
    char *location = row_location(target);
    fputs(target->by == MATCH_ORDER ? "| ~ " : "| ", out);
    put_code(out, location ? location : "?");
    free(location);
    fputs(" | ", out);
    put_code(out, row_result(target)->point);
    fputs(" |", out);
    put_cell(out, target->before->impact, 0);
    put_cell(out, target->after->impact, 0);
    put_cell(out, target->change, 1);
    put_interval(out, target->low, target->high);
    put_md_verdict(out, target->verdict);
}

/* The rows of changes, or all others. Returns how many there are. */
static size_t put_md_targets(FILE *out, const struct compare_report *report,
                             const struct report_options *options, bool changed)
{
    size_t shown = 0;
    for (size_t i = 0; i < report->comparison->target_count; i++) {
        const struct compare_target *target = &report->comparison->targets[i];
        if (target->by == MATCH_NONE || !target_is_wanted(target, options) ||
            (target->verdict == COMPARE_CHANGED) != changed)
            continue;
        if (!changed && shown == 0)
            fputs("\n<details><summary>Impacts of which no change is shown</summary>\n", out);
        if (shown++ == 0)
            fputs("\n| target | for | impact before | after | change | 95 % interval | verdict |\n"
                  "|:--|:--|--:|--:|--:|:-:|:--|\n",
                  out);
        put_md_target(out, target);
    }
    if (!changed && shown > 0)
        fputs("\n</details>\n", out);
    return shown;
}

static void put_md_only(FILE *out, const struct compare_report *report, const struct report_options *options)
{
    size_t shown = 0;
    for (size_t i = 0; i < report->comparison->target_count; i++) {
        const struct compare_target *target = &report->comparison->targets[i];
        const struct analysis_result *result = row_result(target);
        if (target->by != MATCH_NONE || !target_is_wanted(target, options) ||
            (!options->all && result->verdict == VERDICT_TOO_LITTLE))
            continue;
        if (shown++ == 0)
            fputs("\n<details><summary>Tried in one of both only</summary>\n\n", out);
        fprintf(out, "- %s: ", target->after ? "after" : "before");
        put_code(out, result->location);
        fputs(", for ", out);
        put_code(out, result->point);
        if (isfinite(result->impact))
            fprintf(out, ": impact %.1f (%.1f to %.1f)", 100 * result->impact, 100 * result->low,
                    100 * result->high);
        putc('\n', out);
    }
    if (shown > 0)
        fputs("\n</details>\n", out);
}

void compare_markdown(FILE *out, const struct compare_report *report, const struct report_options *options)
{
    static const char *const words[] = {"unknown", "**met**", "not met"};
    char sentences[DIFFERENCES_MOST][DIFFERENCE_BYTES];
    size_t count = find_differences(report, sentences, DIFFERENCES_MOST);
    fputs("### Causal profile, before and after\n\n", out);
    for (int i = 0; i < 2; i++) {
        struct side_sums sums = side_sums(i ? report->after : report->before);
        fputs(i ? "After: " : "Before: ", out);
        put_code(out, report->names[i]);
        fprintf(out, ", %zu run%s, %.0f s, %llu windows.%s\n", sums.runs, sums.runs == 1 ? "" : "s",
                sums.runtime_s, sums.windows, i ? "" : "  ");
    }
    put_md_rates(out, report, options);
    if (put_md_targets(out, report, options, true) == 0)
        fputs("\nNo impact is shown to have changed.\n", out);
    put_md_targets(out, report, options, false);
    put_md_only(out, report, options);
    for (size_t i = 0; i < report->condition_count; i++) {
        const struct condition *condition = &report->conditions[i];
        fputs(i == 0 ? "\n- " : "- ", out);
        put_code(out, condition->text);
        fprintf(out, ": %s. ", words[condition->outcome]);
        put_code(out, condition->why);
        putc('\n', out);
    }
    for (size_t i = 0; i < count; i++) {
        fputs("\n> ", out);
        put_wrapped(out, sentences[i], 0);
    }
    fputs(
        "\n<sub>Rates are those of windows in which nothing was sped up. Verdicts allow for how many rows there are:"
        " of 100 comparisons of a build with itself, at most 5 would call anything changed.</sub>\n",
        out);
}
