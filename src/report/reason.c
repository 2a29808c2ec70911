/* Why a target has no effect: what its threads wait for. */
#include "report/advice.h"
#include "report/ink.h"

#include <stdlib.h>
#include <string.h>

enum { REASONS = 3, NAMES = 3 /* of targets with the same reason */ };

struct reason reason_of(const struct analysis_result *result, const struct report_options *options)
{
    if (!options->waiting || result->verdict != VERDICT_NO_EFFECT)
        return (struct reason){.share = 0};
    return reason_find(options->waiting, result->kind, result->location);
}

static void put_base_name(FILE *out, const char *path)
{
    char *clean = clean_text(basename(path), true);
    fputs(clean ? clean : "?", out);
    free(clean);
}

/* "wait 71 % of the time for worker.c:88", or "at main.c:20 (sleep)" where nobody is known to end it. */
static void put_wait_of(FILE *out, const struct reason *reason)
{
    fprintf(out, "wait %.0f %% of the time ", 100 * reason->share);
    if (reason->by || *reason->place) {
        fputs(reason->by ? "for " : "at ", out);
        put_base_name(out, reason->by ? reason->by : reason->place);
    } else {
        fputs("in code that is not in scope", out);
    }
    if (!reason->by)
        fprintf(out, " (%s)", reason->class);
}

void put_reason(FILE *out, const struct analysis_result *result, const struct report_options *options)
{
    struct reason reason = reason_of(result, options);
    if (reason.share <= 0)
        return;
    fputs("Its threads ", out);
    put_wait_of(out, &reason);
    fputs(".\n", out);
}

static bool is_same(const struct reason *a, const struct reason *b)
{
    return a->share > 0 && b->share > 0 && a->by == b->by &&
           (a->by || (strcmp(a->class, b->class) == 0 && strcmp(a->place, b->place) == 0));
}

/* Has one of the results before it the same reason? */
static bool was_said(const struct analysis_result *results, size_t index, const struct reason *reason,
                     const struct report_options *options)
{
    for (size_t i = 0; i < index; i++) {
        struct reason other = reason_of(&results[i], options);
        if (is_same(&other, reason))
            return true;
    }
    return false;
}

/* The targets from that one on that have its reason. */
static void put_names(FILE *out, const struct analysis_result *results, size_t count, size_t index,
                      const struct reason *reason, const struct report_options *options)
{
    size_t all = 0, named = 0;
    for (size_t i = index; i < count; i++) {
        struct reason other = reason_of(&results[i], options);
        all += is_same(&other, reason);
    }
    for (size_t i = index; i < count && named < NAMES; i++) {
        struct reason other = reason_of(&results[i], options);
        if (!is_same(&other, reason))
            continue;
        fputs(named == 0 ? "" : named + 1 == all ? " and " : ", ", out);
        put_base_name(out, results[i].location);
        named++;
    }
    if (all > named)
        fprintf(out, " and %zu more", all - named);
    fputs(all == 1 ? " has no effect: its threads " : " have no effect: their threads ", out);
}

void put_reasons(FILE *out, const struct analysis_result *results, size_t count,
                 const struct report_options *options)
{
    size_t said = 0;
    for (size_t i = 0; i < count && said < REASONS; i++) {
        struct reason reason = reason_of(&results[i], options);
        if (reason.share <= 0 || was_said(results, i, &reason, options))
            continue;
        struct flow flow;
        FILE *stream = put_flow(&flow, out);
        if (said++ == 0)
            putc('\n', stream);
        put_names(stream, results, count, i, &reason, options);
        put_wait_of(stream, &reason);
        fputs(".\n", stream);
        put_flow_end(&flow, (size_t)options->width);
    }
}
