#include "report/target/came_true.h"

#include "profile/verified.h"
#include "report/cells.h"
#include "report/ink.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SHOWN_MOST = 5 };

struct teller {
    FILE *out;
    const char *location;
    const struct report_options *options;
    size_t wanted, told, skip;
};

static bool is_wanted(const struct teller *teller, const struct verified *verified)
{
    const char *point = teller->options->point;
    if (teller->location && (!verified->location || strcmp(verified->location, teller->location) != 0))
        return false;
    return !point || strcmp(point, verified->point) == 0;
}

static int count_one(void *context, const struct verified *verified)
{
    struct teller *teller = context;
    teller->wanted += is_wanted(teller, verified);
    return 0;
}

static void put_effect(FILE *out, const struct verified_effect *effect)
{
    fprintf(out, "%.0f %%", 100 * effect->value);
    if (isfinite(effect->low) && isfinite(effect->high))
        fprintf(out, " (%.0f to %.0f)", 100 * effect->low, 100 * effect->high);
}

static void put_date(FILE *out, uint64_t time_ns)
{
    char text[32];
    time_t seconds = (time_t)(time_ns / 1000000000);
    struct tm date;
    if (time_ns > 0 && localtime_r(&seconds, &date) && strftime(text, sizeof text, "%Y-%m-%d", &date))
        fprintf(out, " on %s", text);
}

static void put_one(FILE *out, const struct verified *verified)
{
    static const char *const outcomes[] = {
        [VERIFIED_NOTHING] = "no gain is shown",    [VERIFIED_LOST] = "it became slower",
        [VERIFIED_GAINED] = "nothing was promised", [VERIFIED_KEPT] = "it came true",
        [VERIFIED_LESS] = "it came true in part",   [VERIFIED_MORE] = "it was exceeded",
    };
    char *location = verified->location ? clean_text(verified->location, true) : NULL;
    char *point = clean_text(verified->point, true);
    const char *slash = location ? strrchr(location, '/') : NULL;
    fputs("Verified", out);
    put_date(out, verified->time_ns);
    fputs(": ", out);
    if (location && isfinite(verified->line.value)) {
        fprintf(out, "%s became ", slash ? slash + 1 : location);
        put_effect(out, &verified->line);
        fputs(" faster, and ", out);
    }
    fprintf(out, "%s`%s` gained ", verified->is_latency ? "the latency of " : "", point ? point : "?");
    put_effect(out, &verified->gain);
    if (isfinite(verified->promise.value)) {
        fputs(" where ", out);
        put_effect(out, &verified->promise);
        fputs(" was promised", out);
    }
    fprintf(out, ": %s.\n", outcomes[verified_outcome(verified)]);
    free(location);
    free(point);
}

static int tell_one(void *context, const struct verified *verified)
{
    struct teller *teller = context;
    if (!is_wanted(teller, verified) || teller->told++ < teller->skip)
        return 0;
    struct flow flow;
    put_one(put_flow(&flow, teller->out), verified);
    put_flow_end(&flow, teller->options->wraps ? (size_t)teller->options->width : 0);
    return 0;
}

void put_came_true(FILE *out, const char *location, const struct report_options *options)
{
    struct teller teller = {.out = out, .location = location, .options = options};
    for (size_t i = 0; i < options->ledger_count; i++)
        verified_read(options->ledgers[i], count_one, &teller);
    teller.skip = teller.wanted > SHOWN_MOST ? teller.wanted - SHOWN_MOST : 0;
    if (teller.wanted > 0)
        putc('\n', out);
    for (size_t i = 0; i < options->ledger_count; i++)
        verified_read(options->ledgers[i], tell_one, &teller);
}
