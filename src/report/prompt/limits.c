#include "report/prompt/limits.h"

#include "report/advice.h"
#include "report/cells.h"
#include "stats/answers/details.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DOUBTS_MOST = 20, HIDDEN_MOST = 10 };

#define WIDE 0.1 /* to either side, of an impact: too little to choose by */

static void put_general(FILE *out)
{
    fputs(
        "\n## What is not established\n\n"
        "- Whether a line can be made faster at all, and how: only what it would bring.\n"
        "- What holds for another load, input or machine than this run's.\n"
        "- What several lines bring together: effects do not simply add up.\n"
        "- Anything about waits that are not named here: only long ones were tried beside lines, if any.\n"
        "- Anything about lines that are not named here: they were not tried.\n"
        "- Which line exactly, where the optimiser moved code: a line's time is that of its instructions.\n",
        out);
}

static void put_place_and(FILE *out, const char *location, const char *why)
{
    char *clean = clean_text(location, true), *clean_why = clean_text(why, true);
    fprintf(out, "- %s: %s\n", clean ? clean : "?", clean_why ? clean_why : "?");
    free(clean);
    free(clean_why);
}

/* One answer's own doubts; returns whether there are any. */
static bool put_doubt(FILE *out, const struct analysis_result *result)
{
    double half = (result->high - result->low) / 2;
    if (result->verdict == VERDICT_TOO_LITTLE) {
        char *why = isnan(result->impact) ? NULL : explain_doubt(result);
        put_place_and(out, result->location, why ? why : "it was tried too seldom to say anything");
        free(why);
        return true;
    }
    if (!(half > WIDE))
        return false;
    char *why;
    if (asprintf(&why, "its impact is known to %.0f points either way only", 100 * half) < 0)
        return false;
    put_place_and(out, result->location, why);
    free(why);
    return true;
}

/* Neighbours in the ranking whose order chance may have made. */
static void put_groups(FILE *out, const struct analysis_result *results, size_t count)
{
    unsigned *groups = calloc(count + 1, sizeof *groups);
    if (!groups)
        return;
    analysis_group(results, count, groups);
    for (size_t i = 0, n; i < count; i += n) {
        for (n = 1; i + n < count && groups[i] && groups[i + n] == groups[i];)
            n++;
        if (!groups[i] || n < 2)
            continue;
        fputs("- which of these pays most, for their intervals overlap:", out);
        for (size_t j = i; j < i + n; j++) {
            char *clean = clean_text(results[j].location, true);
            fprintf(out, "%s %s", j == i ? "" : ",", clean ? clean : "?");
            free(clean);
        }
        putc('\n', out);
    }
    free(groups);
}

static void put_hidden(FILE *out, struct analysis *analysis)
{
    const struct analysis_hidden *hidden;
    size_t count = analysis_hidden(analysis, &hidden);
    for (size_t i = 0; i < count && i < HIDDEN_MOST; i++)
        put_place_and(out, hidden[i].location, hidden[i].why);
    if (count > HIDDEN_MOST)
        fprintf(out, "- and %zu more that were left out\n", count - HIDDEN_MOST);
}

void put_unestablished(FILE *out, struct analysis *analysis, const struct report_options *options)
{
    const struct analysis_result *results;
    size_t count = analysis_results(analysis, &results), doubts = 0;
    put_general(out);
    for (size_t i = 0, n; i < count; i += n) {
        for (n = 1; i + n < count && results[i + n].point == results[i].point;)
            n++;
        if (!option_wants(options, &results[i]))
            continue;
        put_groups(out, results + i, n);
        for (size_t j = i; j < i + n && doubts < DOUBTS_MOST; j++)
            doubts += put_doubt(out, &results[j]);
        put_limits(out, results + i, n);
    }
    put_hidden(out, analysis);
}

void put_unestablished_of(FILE *out, struct analysis *analysis, const struct analysis_result *const *answers,
                          size_t count)
{
    const struct analysis_hidden *hidden;
    size_t hidden_count = analysis_hidden(analysis, &hidden);
    put_general(out);
    for (size_t i = 0; i < count; i++) {
        put_doubt(out, answers[i]);
        put_limits(out, answers[i], 1);
    }
    for (size_t i = 0; i < hidden_count; i++)
        if (strcmp(hidden[i].location, answers[0]->location) == 0)
            put_place_and(out, hidden[i].location, hidden[i].why);
}
