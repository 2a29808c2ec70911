/* What else differs between two profiles than the program. */
#include "report/compare/words.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define CALMER 2.0 /* times as much noise is worth a word */
#define BUSIER 0.1 /* more of the machine that others take is, too */

struct sentences {
    char (*texts)[DIFFERENCE_BYTES];
    size_t count, most;
};

static void __attribute__((format(printf, 2, 3)))
add_sentence(struct sentences *into, const char *format, ...)
{
    if (into->count == into->most)
        return;
    va_list args;
    va_start(args, format);
    vsnprintf(into->texts[into->count++], DIFFERENCE_BYTES, format, args);
    va_end(args);
}

/* What is told of a run, "" where nothing is. */
typedef void tell_run(const struct story_run *run, char *text, size_t size);

static void tell_program(const struct story_run *run, char *text, size_t size)
{
    const char *slash = run->program ? strrchr(run->program, '/') : NULL;
    snprintf(text, size, "%s", slash ? slash + 1 : run->program ? run->program : "");
}

static void tell_sampler(const struct story_run *run, char *text, size_t size)
{
    snprintf(text, size, "%s", run->sampler ? run->sampler : "as chosen by coz");
}

static void tell_granularity(const struct story_run *run, char *text, size_t size)
{
    snprintf(text, size, "%ss", run->granularity ? run->granularity : "line");
}

static void tell_machine(const struct story_run *run, char *text, size_t size)
{
    *text = '\0';
    if (run->cores == 0)
        return;
    size_t length = (size_t)snprintf(text, size, "%llu core%s", (unsigned long long)run->cores,
                                     run->cores == 1 ? "" : "s");
    if (run->allowed < run->cores && length < size)
        length += (size_t)snprintf(text + length, size - length, ", %llu of them allowed",
                                   (unsigned long long)run->allowed);
    if (run->model && length < size)
        snprintf(text + length, size - length, " (%s)", run->model);
}

/* What others took of the machine during the runs, in the mean over their time; NAN: none tells. */
static double taken_by_others(const struct compare_side *side)
{
    const struct story_run *runs;
    size_t count = story_runs(side->story, &runs);
    double sum = 0, time = 0;
    for (size_t i = 0; i < count; i++) {
        if (isnan(runs[i].others) || isnan(runs[i].stolen))
            continue;
        sum += (runs[i].others + runs[i].stolen) * (double)runs[i].runtime_ns;
        time += (double)runs[i].runtime_ns;
    }
    return sum / time;
}

static void add_load(struct sentences *into, const struct compare_report *report)
{
    double before = taken_by_others(report->before), after = taken_by_others(report->after);
    if (fabs(before - after) > BUSIER)
        add_sentence(into, "Others took %.0f %% of the machine before, and %.0f %% after.", 100 * before,
                     100 * after);
}

/* What the runs tell, each only once: "a, b". */
static void tell_side(const struct compare_side *side, tell_run *tell, char *all, size_t size)
{
    const struct story_run *runs;
    size_t count = story_runs(side->story, &runs), length = 0;
    *all = '\0';
    for (size_t i = 0; i < count; i++) {
        char own[DIFFERENCE_BYTES / 4], earlier[DIFFERENCE_BYTES / 4];
        bool is_new = true;
        tell(&runs[i], own, sizeof own);
        for (size_t j = 0; j < i && is_new; j++) {
            tell(&runs[j], earlier, sizeof earlier);
            is_new = strcmp(own, earlier) != 0;
        }
        if (is_new && *own && length + strlen(own) + 3 < size)
            length += (size_t)snprintf(all + length, size - length, "%s%s", length ? ", " : "", own);
    }
}

static void add_of_runs(struct sentences *into, const struct compare_report *report, tell_run *tell,
                        const char *what)
{
    char before[DIFFERENCE_BYTES / 3], after[DIFFERENCE_BYTES / 3];
    tell_side(report->before, tell, before, sizeof before);
    tell_side(report->after, tell, after, sizeof after);
    if (*before && *after && strcmp(before, after) != 0)
        add_sentence(into, "%s before: %s; after: %s.", what, before, after);
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Which speedups were tried, in per cent: "25, 50". */
static void tell_speedups(const struct comparison *comparison, bool after, char *text, size_t size)
{
    double all[64];
    size_t count = 0, length = 0;
    for (size_t i = 0; i < comparison->target_count; i++) {
        const struct analysis_result *result =
            after ? comparison->targets[i].after : comparison->targets[i].before;
        for (size_t j = 0; result && j < result->curve_count; j++) {
            bool is_new = count < sizeof all / sizeof *all;
            for (size_t k = 0; k < count && is_new; k++)
                is_new = fabs(all[k] - result->curve[j].speedup) > 0.0005;
            if (is_new)
                all[count++] = result->curve[j].speedup;
        }
    }
    if (count > 0)
        qsort(all, count, sizeof *all, compare_doubles);
    *text = '\0';
    for (size_t i = 0; i < count && length + 12 < size; i++)
        length += (size_t)snprintf(text + length, size - length, "%s%g", i ? ", " : "", 100 * all[i]);
}

static void add_speedups(struct sentences *into, const struct compare_report *report)
{
    char before[DIFFERENCE_BYTES / 4], after[DIFFERENCE_BYTES / 4];
    tell_speedups(report->comparison, false, before, sizeof before);
    tell_speedups(report->comparison, true, after, sizeof after);
    if (*before && *after && strcmp(before, after) != 0)
        add_sentence(
            into,
            "Speedups tried before: %s %%; after: %s %%. An impact is the slope over what was tried, so"
            " that it may differ for that alone.",
            before, after);
}

static void add_noise(struct sentences *into, const struct compare_report *report)
{
    double before = analysis_control_spread(report->before->analysis);
    double after = analysis_control_spread(report->after->analysis);
    if (before > 0 && after > 0 && fmax(before / after, after / before) > CALMER)
        add_sentence(
            into,
            "The machine was %s calm: with nothing changed, one window said up to +-%.1f %% before and"
            " +-%.1f %% after.",
            after > before ? "less" : "more", 100 * expm1(before), 100 * expm1(after));
}

static void add_matches(struct sentences *into, const struct compare_report *report)
{
    size_t by_number = 0, by_order = 0;
    for (size_t i = 0; i < report->comparison->target_count; i++) {
        by_number += report->comparison->targets[i].by == MATCH_NUMBER;
        by_order += report->comparison->targets[i].by == MATCH_ORDER;
    }
    if (by_number > 0)
        add_sentence(into,
                     "%zu of the rows are matched by file and line alone, for the profiles do not tell the"
                     " functions: had something been edited above, they would be of different lines.",
                     by_number);
    if (by_order > 0)
        add_sentence(into,
                     "%zu of the rows, marked ~, are of lines that were edited, or of which no text is known:"
                     " they are matched by their neighbours in the function.",
                     by_order);
}

size_t find_differences(const struct compare_report *report, char sentences[][DIFFERENCE_BYTES], size_t most)
{
    struct sentences into = {sentences, 0, most};
    add_of_runs(&into, report, tell_program, "Program");
    add_of_runs(&into, report, tell_machine, "Machine");
    add_load(&into, report);
    add_of_runs(&into, report, tell_sampler, "Sampler");
    add_of_runs(&into, report, tell_granularity, "Targets");
    add_speedups(&into, report);
    add_noise(&into, report);
    add_matches(&into, report);
    return into.count;
}
