#include "report/waits/waits.h"

#include "report/cells.h"
#include "report/ink.h"

#include <inttypes.h>
#include <stdlib.h>

enum {
    FIGURES_COLUMNS = 48, /* of a row, before the place */
    PLACE_LEAST = 20,
    WAKES_SHOWN = 3,
    CHAIN_MOST = 12
};

#define WAKE_LEAST 0.05  /* of a wait's time, that is worth a line */
#define CHAIN_LEAST 0.01 /* of the time of all threads, that a chain may begin with */

/* "3.1 ms" in eight columns. */
static void put_time(FILE *out, double ns)
{
    static const struct {
        double ns;
        const char *unit;
    } units[] = {{1e9, "s"}, {1e6, "ms"}, {1e3, "us"}};
    size_t unit = 0;
    while (unit < 2 && ns < units[unit].ns)
        unit++;
    double value = ns / units[unit].ns;
    fprintf(out, "%6.*f %-2s", value < 10 ? 2 : value < 100 ? 1 : 0, value, units[unit].unit);
}

static void put_part(FILE *out, uint64_t ns, uint64_t all)
{
    fprintf(out, "%.1f s (%.0f %%)", (double)ns / 1e9, all ? 100 * (double)ns / (double)all : 0);
}

static uint64_t sum_of(const struct waiting_wait *waits, size_t count)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += waits[i].time_ns;
    return sum;
}

/* Where the time of all threads went. */
static void put_whole(FILE *terminal, const struct waiting *waiting, uint64_t waited,
                      const struct report_options *options)
{
    struct flow flow;
    FILE *out = put_flow(&flow, terminal);
    uint64_t lived = waiting_lived_ns(waiting), cpu = waiting_cpu_ns(waiting);
    fprintf(out, "All threads together lived %.1f s: ", (double)lived / 1e9);
    put_part(out, cpu, lived);
    fputs(" on a core, ", out);
    put_part(out, waited, lived);
    fputs(" in the waits below, and ", out);
    put_part(out, lived > cpu + waited ? lived - cpu - waited : 0, lived);
    fputs(
        " off the core, cause unknown: the run queue, page faults, waits of less than 20 us, system calls that are "
        "not seen, and the profiler's own pauses.\n",
        out);
    if (waiting_queued_ns(waiting)) {
        fputs("For ", out);
        put_part(out, waiting_queued_ns(waiting), lived);
        fputs(" of it all, they were ready to run, but had no core.\n", out);
    }
    put_flow_end(&flow, (size_t)options->width);
}

static size_t place_columns(const struct report_options *options)
{
    return options->width > FIGURES_COLUMNS + PLACE_LEAST ? (size_t)options->width - FIGURES_COLUMNS
                                                          : PLACE_LEAST;
}

static void put_wait_place(FILE *out, const char *place, size_t columns, const struct report_options *options)
{
    char *clean = *place ? clean_text(place, true) : NULL;
    put_place(out, clean ? clean : "(not in scope)", columns, clean != NULL, options->utf8);
    free(clean);
}

/* What part of the wait's time was ended from the place of that wake, whatever the waker had waited for; 0: an
 * earlier wake is of the same place. */
static double share_from(const struct waiting_wait *wait, size_t index)
{
    uint64_t ns = 0;
    for (size_t i = 0; i < wait->wake_count; i++)
        if (wait->wakes[i].by == wait->wakes[index].by) {
            if (i < index)
                return 0;
            ns += wait->wakes[i].time_ns;
        }
    return wait->time_ns ? (double)ns / (double)wait->time_ns : 0;
}

static void put_wakes(FILE *out, const struct waiting_wait *wait, const struct report_options *options)
{
    for (size_t i = 0, shown = 0; i < wait->wake_count && shown < WAKES_SHOWN; i++) {
        double share = share_from(wait, i);
        if (share < WAKE_LEAST)
            continue;
        shown++;
        put_ink(out, INK_FAINT, options);
        fprintf(out, "%*s%3.0f %% ended by ", FIGURES_COLUMNS - 15, "", 100 * share);
        put_wait_place(out, wait->wakes[i].by, place_columns(options), options);
        put_ink(out, INK_PLAIN, options);
        putc('\n', out);
    }
}

static void put_waits(FILE *out, const struct waiting_wait *waits, size_t count, uint64_t lived,
                      const struct report_options *options)
{
    size_t shown = options->top && options->top < count ? options->top : count;
    fprintf(out, "\n  #     time    share    count     mean  %-8s  place\n", "for");
    for (size_t i = 0; i < shown; i++) {
        const struct waiting_wait *wait = &waits[i];
        fprintf(out, "%3zu", i + 1);
        put_time(out, (double)wait->time_ns);
        fprintf(out, " %5.1f %% %8" PRIu64, lived ? 100 * (double)wait->time_ns / (double)lived : 0,
                wait->count);
        put_time(out, wait->count ? (double)wait->time_ns / (double)wait->count : 0);
        fprintf(out, " %-10s", wait->class);
        put_wait_place(out, wait->place, place_columns(options), options);
        putc('\n', out);
        put_wakes(out, wait, options);
    }
    if (shown < count)
        fprintf(out, "    ... and %zu more (--top 0 shows them)\n", count - shown);
}

/* The chain with the most links; of several, that whose first wait took longest. */
static size_t find_chain(const struct waiting *waiting, const struct waiting_wait *waits, size_t count,
                         size_t *longest)
{
    size_t length = 0, chain[CHAIN_MOST];
    for (size_t i = 0; i < count; i++) {
        if ((double)waits[i].time_ns < CHAIN_LEAST * (double)waiting_lived_ns(waiting))
            break;
        size_t links = waiting_chain(waiting, i, chain, CHAIN_MOST);
        if (links <= length)
            continue;
        length = links;
        for (size_t j = 0; j < links; j++)
            longest[j] = chain[j];
    }
    return length;
}

static void put_link_of(FILE *out, const struct waiting_wait *wait)
{
    char *place = clean_text(*wait->place ? wait->place : "(not in scope)", true);
    fprintf(out, "%s (%s)", place ? place : "?", wait->class);
    free(place);
}

static void put_chain(FILE *out, const struct waiting *waiting, const struct waiting_wait *waits,
                      size_t count)
{
    size_t chain[CHAIN_MOST], length = find_chain(waiting, waits, count, chain);
    if (length == 0 || (length == 1 && waits[chain[0]].wake_count == 0))
        return;
    fputs("\nThe longest chain of who waits for whom:\n", out);
    for (size_t i = 0; i < length; i++) {
        const struct waiting_wait *wait = &waits[chain[i]];
        fprintf(out, "    %s", i ? "whose thread waited meanwhile at " : "");
        put_link_of(out, wait);
        if (wait->wake_count > 0) {
            char *by = clean_text(wait->wakes[0].by, true);
            fprintf(out, "\n        <- %.0f %% ended by %s", 100 * share_from(wait, 0), by ? by : "?");
            free(by);
        }
        putc('\n', out);
    }
}

bool report_waits(FILE *out, struct waiting *waiting, const struct report_options *options)
{
    const struct waiting_wait *waits;
    size_t count = waiting_waits(waiting, &waits);
    if (count == 0) {
        fputs(
            "The profile tells of no wait: no thread waited for 20 us in a call that is seen, or the profile is of "
            "another tool or an older one.\n",
            out);
        return false;
    }
    put_whole(out, waiting, sum_of(waits, count), options);
    put_waits(out, waits, count, waiting_lived_ns(waiting), options);
    put_chain(out, waiting, waits, count);
    return true;
}
