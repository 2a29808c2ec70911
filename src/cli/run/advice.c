#include "cli/run/advice.h"

#include "cli/run/suggest.h"
#include "shared/questions.h"

#include <string.h>

enum { THIN_WINDOWS = 20 };

void advice_before(FILE *out, const struct session *session)
{
    const struct debuginfo *info = session_debuginfo(session);
    if (info->warnings[0])
        fprintf(out, "coz: %s: some debug information was left out: %s\n", session_program(session),
                info->warnings);
    bool fell_back;
    enum granularity granularity = session_granularity(session, &fell_back);
    if (fell_back)
        fprintf(
            out,
            "coz: %s has no debug information for its lines (compile with -g to have them): targets are its functions\n",
            session_program(session));
    if (info->status == DEBUGINFO_OUT_OF_SCOPE)
        fprintf(out, "coz: no %s of %s is in scope: widen -s or -b\n",
                granularity == GRANULARITY_FUNCTION ? "function" : "line", session_program(session));
}

void advice_without_point(FILE *out, const struct session *session)
{
    const char *taken = session_auto_point(session);
    fprintf(out, "coz: no progress point was reached in the first %d seconds",
            (int)((uint64_t)TRIAL_SLICES * TRIAL_SLICE_NS / 1000000000));
    if (*taken)
        fprintf(out, "; `%s` is taken for one from here on. Calls that look like units of work:\n", taken);
    else
        fputs(", and there is no answer without one. Calls that look like units of work:\n", out);
    if (suggest_calls(out, session_trial(session)) == 0)
        fputs("       none; put COZ_PROGRESS (coz.h) where one is done\n", out);
}

/* What there is, and none was visited. */
static void put_points(FILE *out, const struct session_progress *progress)
{
    if (progress->points_known == 0) {
        fputs("coz: no progress point was reached, and the program has announced none.\n", out);
        return;
    }
    fputs("coz: no progress point was passed. There are:", out);
    for (uint32_t i = 0; i < progress->points_known && i < 10; i++)
        fprintf(out, " %s", progress->segment->points[i].name);
    fputs("\n", out);
}

/* Of a program that has ended. In a long run the calls were listed long ago. */
static void explain_points(FILE *out, const struct session *session, const struct session_progress *progress,
                           char *const *argv)
{
    const struct trial *trial = session_trial(session);
    struct trial_call calls[TRIAL_MOST];
    put_points(out, progress);
    if (!trial || trial_rank(trial, calls) == 0) {
        fputs(
            "     Put COZ_PROGRESS (coz.h) where a unit of work is done, name a call with -p, or have whole runs for units (-p exit).\n",
            out);
        return;
    }
    if (trial->slices < TRIAL_SLICES) {
        fputs("     Calls that look like units of work:\n", out);
        suggest_calls(out, trial);
    }
    fputs("     Put COZ_PROGRESS (coz.h) where a unit of work is done, or type this:\n", out);
    suggest_command(out, trial, argv);
}

static void explain_scope(FILE *out, const struct session *session, const struct session_progress *progress)
{
    const struct debuginfo *info = session_debuginfo(session);
    if (progress->samples == 0) {
        fputs(
            "coz: there were no samples: the program used too little CPU time, or is static or setuid, so that libcoz.so could not be\n"
            "     loaded into it.\n",
            out);
        return;
    }
    bool fell_back;
    enum granularity granularity = session_granularity(session, &fell_back);
    if (granularity == GRANULARITY_THREAD)
        return; /* they need no scope */
    if (info->status == DEBUGINFO_NO_LINES && granularity == GRANULARITY_FUNCTION) {
        fprintf(
            out,
            "coz: %s names none of its functions: compile with -g, or do not strip it (-s), or name a library with -b\n",
            session_program(session));
        return;
    }
    if (info->status == DEBUGINFO_NO_LINES) {
        fprintf(
            out,
            "coz: %s has no debug information for its lines: compile with -g (and not -s), or name a library with -b\n",
            session_program(session));
        return;
    }
    fprintf(out, "coz: none of %llu samples fell in scope. The program's sources are:\n",
            (unsigned long long)progress->samples);
    for (size_t i = 0; i < info->source_count && i < 8; i++)
        fprintf(out, "       %s\n", info->sources[i]);
    fputs("     Widen the scope with -s, or with -b for the code of libraries.\n", out);
}

/* What a table that was full has no room for is missing in the answer. */
static void put_refused(FILE *out, unsigned long long count, unsigned room, const char *what)
{
    if (count)
        fprintf(out, "coz: there was no room for %llu %s (there is for %u)\n", count, what, room);
}

static void put_all_refused(FILE *out, const struct segment *segment)
{
    const struct segment_refusals *refusals = &segment->refusals;
    uint32_t processes = atomic_load(&segment->processes);
    put_refused(out, atomic_load(&refusals->points), SEGMENT_POINTS,
                "announcements of progress points: their visits were not counted");
    put_refused(out, atomic_load(&refusals->modules), SEGMENT_MODULES,
                "look-ups of executables and libraries: their code was not found");
    put_refused(out, atomic_load(&refusals->mappings), SEGMENT_MAPPINGS,
                "pieces of code that were loaded late: samples there were left out");
    put_refused(
        out, atomic_load(&refusals->threads), SEGMENT_THREADS,
        "threads at once: they were profiled, but their processes were not told when the run was to end");
    put_refused(out, atomic_load(&refusals->callsites), SEGMENT_CALLSITES - 1,
                "samples of further call sites: they were left out");
    put_refused(out, atomic_load(&refusals->thread_names), SEGMENT_THREAD_NAMES - 1,
                "samples of threads with further names: they were left out");
    put_refused(out, atomic_load(&refusals->sites), SEGMENT_SITES - 1,
                "look-ups of further lines or functions: samples there were left out");
    put_refused(
        out, atomic_load(&refusals->channels), SEGMENT_CHANNELS * SEGMENT_WORDS,
        "of the pipes and sockets that were opened, and the oldest were forgotten: to wait there for a thread of the program is no longer told from waiting for the outside");
    put_refused(out, processes > SEGMENT_PROCESSES ? processes - SEGMENT_PROCESSES : 0, SEGMENT_PROCESSES,
                "processes in the list of processes: they were profiled, but --pid does not know them");
}

bool advice_after(FILE *out, const struct session *session, const struct session_progress *progress,
                  char *const *argv)
{
    if (message_left(progress->segment))
        fprintf(out, "coz: %s\n", message_left(progress->segment));
    if (*session_note(session))
        fprintf(out, "coz: %s\n", session_note(session));
    put_all_refused(out, progress->segment);
    if (progress->sampler == SAMPLER_TIMER && progress->perf_errno)
        fprintf(out,
                "coz: perf events are not permitted (%s): sampled by timer.\n"
                "     To allow them: sysctl kernel.perf_event_paranoid=2\n",
                strerror(progress->perf_errno));
    /* The last of several runs may have been ended before it had begun. */
    if (atomic_load(&progress->segment->processes) == 0 && progress->samples == 0) {
        fprintf(out, "coz: libcoz.so was not loaded into %s: is it a static or setuid program?\n",
                session_program(session));
        return false;
    }
    if (progress->points_reached == 0)
        explain_points(out, session, progress, argv);
    if (progress->in_scope == 0)
        explain_scope(out, session, progress);
    if (progress->windows == 0 && progress->points_reached && progress->in_scope)
        fputs(
            "coz: the program was too short for one experiment. Run it again (--runs 10): the profile appends; or give it more to do.\n",
            out);
    else if (progress->windows && progress->windows < THIN_WINDOWS)
        fputs(
            "coz: few windows were finished. Run it again (--runs 10): the profile appends, and the intervals get narrower.\n",
            out);
    unsigned long long windows = progress->discarded + progress->windows, stolen = progress->stolen_from;
    if (5 * stolen > windows)
        fprintf(
            out,
            "coz: %llu of %llu windows were not used, because the host of this virtual machine took its processors away in them. A calmer time gives narrower intervals.\n",
            stolen, windows);
    if (progress->discarded - stolen > progress->windows)
        fprintf(
            out,
            "coz: %llu of %llu windows were thrown away because threads paid in them for delays of earlier ones.\n",
            (unsigned long long)progress->discarded - stolen, windows);
    return progress->windows > 0;
}
