#include "cli/run/words.h"

#include "experiment/session/certainty.h"
#include "report/cells.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

static void put_failure(FILE *out, const struct series *series)
{
    fprintf(out, "coz: run %u ", series->runs);
    if (WIFSIGNALED(series->wait_status))
        fprintf(out, "was ended by a signal (%s)", strsignal(WTERMSIG(series->wait_status)));
    else
        fprintf(out, "failed (exit status %d)", WEXITSTATUS(series->wait_status));
    fputs(", so there was no other\n", out);
}

void words_on_end(FILE *out, const struct series *series)
{
    switch (series->end) {
    case SERIES_FAILED:
        put_failure(out, series);
        break;
    case SERIES_FUTILE:
        if (!series->total.points_reached) {
            fprintf(out, "coz: the last %d runs reached no progress point, so there was no other\n",
                    SERIES_FUTILE_RUNS);
            break;
        }
        fprintf(
            out,
            "coz: the last %d runs were too short for one finished window, so there was no other: give the program more to do\n",
            SERIES_FUTILE_RUNS);
        break;
    case SERIES_RAN:
        if (!series->options.runs && series->runs > 1)
            fprintf(out, "coz: ended after %u runs, the most without --runs\n", series->runs);
        break;
    case SERIES_SURE:
    case SERIES_TIMED_OUT:
    case SERIES_INTERRUPTED:
        break;
    }
}

static size_t windows_of(const struct analysis_result *result)
{
    size_t windows = 0;
    for (size_t i = 0; i < result->curve_count; i++)
        windows += result->curve[i].windows;
    return windows;
}

/* The impact is what a full speedup would save, if the curve were straight (docs/design/profile.md). */
static void put_leader(FILE *out, const struct analysis_result *leader)
{
    char *location = clean_text(leader->location, true), *point = clean_text(leader->point, true);
    fprintf(out, "coz: %s on `%s`: %s, impact %.1f %%",
            leader->verdict == VERDICT_IMPROVES ? "most surely felt" : "may be felt, but is not known to be,",
            point ? point : "?", location ? location : "?", 100 * leader->impact);
    if (isfinite(leader->low) && isfinite(leader->high))
        fprintf(out, " (95 %% sure: %.1f to %.1f)", 100 * leader->low, 100 * leader->high);
    fprintf(out, ", from %zu windows beside their baselines\n", windows_of(leader));
    free(location);
    free(point);
}

static void put_control(FILE *out, const struct series *series)
{
    double spread = analysis_control_spread(series->analysis);
    fprintf(out, "coz: %" PRIu64 " windows", analysis_windows(series->analysis));
    if (series->runs > 1)
        fprintf(out, " in %u runs", series->runs);
    if (isfinite(spread))
        fprintf(out, "; with nothing changed, one window says up to +-%.1f %% (the control)",
                100 * expm1(spread));
    fputs("\n", out);
}

static void put_width(FILE *out, const struct series *series)
{
    double wanted = series->options.until_width;
    struct certainty certainty = certainty_of(series->analysis);
    if (wanted <= 0)
        return;
    if (certainty.widest <= wanted)
        fprintf(out, "coz: the leaders' intervals are at most %.1f points wide, as asked (%g)\n",
                certainty.widest, wanted);
    else if (series->end == SERIES_SURE && isfinite(certainty.widest))
        fprintf(
            out,
            "coz: the leaders' intervals were as narrow as asked (%g) when the run was ended; with what it said last they are up to %.1f points wide\n",
            wanted, certainty.widest);
    else if (isfinite(certainty.widest))
        fprintf(out, "coz: the leaders' intervals are still up to %.1f points wide (asked: %g); run longer\n",
                certainty.widest, wanted);
    else
        fprintf(out, "coz: too few windows to know the leaders to %g points; run longer\n", wanted);
}

void words_on_certainty(FILE *out, const struct series *series)
{
    const struct analysis_result *results, *leaders[CERTAINTY_LEADERS];
    size_t count = analysis_results(series->analysis, &results);
    for (size_t i = 0, length; i < count; i += length) {
        length = certainty_point_length(results + i, count - i);
        /* What ranks first is the leader if it helps for sure; else the line that may still help most. */
        if (results[i].verdict == VERDICT_IMPROVES)
            put_leader(out, &results[i]);
        else if (certainty_leaders(results + i, length, leaders) > 0 && !isnan(leaders[0]->impact))
            put_leader(out, leaders[0]);
    }
    put_control(out, series);
    put_width(out, series);
}

/* Visits of all breakpoints together, and the CPU time of all threads. */
static void tell_cost(FILE *out, const struct segment *segment)
{
    uint64_t visits = 0, cpu_ns = atomic_load(&segment->samples_ns);
    for (uint32_t i = 0; i < SEGMENT_POINTS && segment_point_is_taken(&segment->points[i]); i++)
        if (segment->points[i].is_breakpoint)
            visits += atomic_load(&segment->points[i].count);
    double cost_ns = (double)segment->breakpoints.cost_ns, share = (double)visits * cost_ns / (double)cpu_ns;
    if (cpu_ns == 0 || share <= 0.01)
        return;
    fprintf(
        out,
        "coz: breakpoints took about %.0f %% of the program's CPU time (%.1f us a visit on this machine); "
        "that is left out of all answers, but visit a point more rarely, or take one that costs nothing "
        "(call:NAME), for better ones\n",
        share < 1 ? 100 * share : 100, cost_ns * 1e-3);
}

void words_on_breakpoints(FILE *out, const struct session_progress *total)
{
    const struct segment *segment = total->segment;
    uint32_t failed = atomic_load(&segment->breakpoints.failed),
             lost = atomic_load(&segment->breakpoints.lost);
    if (!atomic_load(&segment->breakpoints.count))
        return;
    if (failed)
        fprintf(out, "coz: a process could not have breakpoints (%s): its visits are not counted\n",
                strerror((int)failed));
    if (lost)
        fprintf(out,
                "coz: the breakpoints of a process could not be taken over (%s): its visits are not counted. "
                "kernel.yama.ptrace_scope must be 1 or less, and it must be the same user's\n",
                strerror((int)lost));
    if (atomic_load(&segment->breakpoints.late))
        fprintf(out, "coz: a process had threads before coz came into it, whose visits are not counted\n");
    tell_cost(out, segment);
}
