#include "cli/run/advice.h"

#include "cli/run/suggest.h"
#include "report/cells.h"
#include "shared/questions.h"

#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>

enum { THIN_WINDOWS = 20 };

static const uint64_t look_every_ns = 500000000;

/* ---- what is found ---- */

static void put_finding(FILE *out, const struct finding *finding)
{
    char *what = clean_text(finding->what, true), *remedy = clean_text(finding->remedy, true);
    if (what && remedy)
        fprintf(out, "coz: %s %s\n", what, remedy);
    free(what);
    free(remedy);
}

/* Says it, and has it kept in the profile. */
static void tell_finding(FILE *out, struct session *session, const struct finding *finding)
{
    put_finding(out, finding);
    session_remark(session, finding->what, finding->remedy);
}

static __attribute__((format(printf, 3, 4))) void tell(FILE *out, struct session *session, const char *format,
                                                       ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fprintf(out, "coz: %s\n", text);
    session_remark(session, text, NULL);
}

void advice_put(FILE *out, struct advice *advice, struct session *session, const struct findings *findings)
{
    for (size_t i = 0; i < findings->count; i++) {
        tell_finding(out, session, &findings->list[i]);
        advice->told[findings->list[i].kind] = true;
        advice->lines++;
    }
}

/* Leaves those that are to be said now. */
static size_t keep_news(const struct advice *advice, struct findings *findings)
{
    size_t kept = 0;
    for (size_t i = 0; i < findings->count; i++)
        if (!advice->told[findings->list[i].kind] && advice->lines + kept < ADVICE_LINES)
            findings->list[kept++] = findings->list[i];
    return findings->count = kept;
}

static size_t find_news(struct advice *advice, struct session *session, struct findings *findings)
{
    struct facts facts;
    session_facts(session, &facts);
    diagnose(&facts, findings);
    return keep_news(advice, findings);
}

void advice_before(FILE *out, struct advice *advice, struct session *session)
{
    const struct debuginfo *info = session_debuginfo(session);
    struct findings findings;
    if (info->warnings[0])
        fprintf(out, "coz: %s: some debug information was left out: %s\n", session_program(session),
                info->warnings);
    find_news(advice, session, &findings);
    advice_put(out, advice, session, &findings);
}

size_t advice_look(struct advice *advice, struct session *session, uint64_t now, struct findings *findings)
{
    findings->count = 0;
    if (now < advice->next_ns || advice->lines >= ADVICE_LINES)
        return 0;
    if (session_progress(session)->elapsed_ns > ADVICE_EARLY_S * UINT64_C(1000000000))
        return 0;
    advice->next_ns = now + look_every_ns;
    return find_news(advice, session, findings);
}

/* ---- at the end ---- */

/* What a table that was full has no room for is missing in the answer. */
static void put_refused(FILE *out, struct session *session, unsigned long long count, unsigned room,
                        const char *what)
{
    if (count)
        tell(out, session, "there was no room for %llu %s (there is for %u)", count, what, room);
}

static void put_all_refused(FILE *out, struct session *session, const struct segment *segment)
{
    const struct segment_refusals *refusals = &segment->refusals;
    uint32_t processes = atomic_load(&segment->processes);
    put_refused(out, session, atomic_load(&refusals->points), SEGMENT_POINTS,
                "announcements of progress points: their visits were not counted");
    put_refused(out, session, atomic_load(&refusals->latencies), SEGMENT_LATENCIES,
                "visits of further latencies with ids: only their means are known");
    put_refused(out, session, atomic_load(&refusals->modules), SEGMENT_MODULES,
                "look-ups of executables and libraries: their code was not found");
    put_refused(out, session, atomic_load(&refusals->mappings), SEGMENT_MAPPINGS,
                "pieces of code that were loaded late: samples there were left out");
    put_refused(
        out, session, atomic_load(&refusals->threads), SEGMENT_THREADS,
        "threads at once: they were profiled, but their processes were not told when the run was to end");
    put_refused(out, session, atomic_load(&refusals->callsites), SEGMENT_CALLSITES - 1,
                "samples of further call sites: they were left out");
    put_refused(out, session, atomic_load(&refusals->thread_names), SEGMENT_THREAD_NAMES - 1,
                "samples of threads with further names: they were left out");
    put_refused(
        out, session, atomic_load(&refusals->regions), SEGMENT_REGIONS,
        "look-ups of further regions, or entries into regions more than 64 deep: they were not measured");
    put_refused(out, session, atomic_load(&refusals->sites), SEGMENT_SITES - 1,
                "look-ups of further lines or functions: samples there were left out");
    put_refused(out, session, atomic_load(&refusals->waits), SEGMENT_WAITS,
                "waits at further lines, or ended from there: they are missing in what threads waited for");
    put_refused(
        out, session, atomic_load(&refusals->channels), SEGMENT_CHANNELS * SEGMENT_WORDS,
        "of the pipes and sockets that were opened, and the oldest were forgotten: to wait there for a thread of the program is no longer told from waiting for the outside");
    put_refused(out, session, processes > SEGMENT_PROCESSES ? processes - SEGMENT_PROCESSES : 0,
                SEGMENT_PROCESSES,
                "processes in the list of processes: they were profiled, but --pid does not know them");
}

static void put_signal(FILE *out, struct session *session, const struct segment *segment)
{
    int number = (int)atomic_load(&segment->signal_given_up);
    if (number >= SIGRTMIN && number <= SIGRTMAX)
        tell(
            out, session,
            "The program uses signal %d (SIGRTMAX-%d) itself, which was to bring samples. It got the signal, and samples came by another one.",
            number, SIGRTMAX - number);
}

/* What stops a profile is said again, for the program may have said much since; what did not stop it, once. */
static void put_rest(FILE *out, struct advice *advice, struct session *session, unsigned runs,
                     const struct session_progress *total)
{
    struct facts facts;
    struct findings findings;
    session_facts(session, &facts);
    facts.run.elapsed_s = (double)total->elapsed_ns * 1e-9;
    facts.run.runs = runs;
    facts.run.windows = total->windows;
    facts.run.code.samples = total->samples;
    facts.run.code.in_scope = total->in_scope;
    facts.run.points.reached = total->points_reached;
    diagnose(&facts, &findings);
    for (size_t i = 0; i < findings.count; i++)
        if (!advice->told[findings.list[i].kind])
            tell_finding(out, session, &findings.list[i]);
        else if (findings.list[i].weight == FINDING_STOPS && !total->windows)
            put_finding(out, &findings.list[i]);
}

static void put_windows(FILE *out, struct session *session, const struct session_progress *total)
{
    if (total->windows && total->windows < THIN_WINDOWS)
        fputs(
            "coz: few windows were finished. Run it again (--runs 10): the profile appends, and the intervals get narrower.\n",
            out);
    unsigned long long windows = total->discarded + total->windows, stolen = total->stolen_from;
    if (5 * stolen > windows)
        tell(
            out, session,
            "%llu of %llu windows were not used, because the host of this virtual machine took its processors away in them. A calmer time gives narrower intervals.",
            stolen, windows);
    if (total->discarded - stolen > total->windows)
        tell(out, session,
             "%llu of %llu windows were thrown away because threads paid in them for delays of earlier ones.",
             (unsigned long long)total->discarded - stolen, windows);
}

void advice_on_calls(FILE *out, const struct session *session)
{
    const char *taken = session_auto_point(session);
    if (*taken)
        fprintf(out, "coz: `%s` is taken for one from here on. ", taken);
    else
        fputs("coz: ", out);
    fputs("Calls that look like units of work:\n", out);
    if (suggest_calls(out, session_trial(session)) == 0)
        fputs("       none\n", out);
}

/* Points that the program announced and never visited, by name. */
static void put_points(FILE *out, const struct session_progress *total)
{
    if (total->points_known == 0)
        return;
    fputs("coz: These were not passed:", out);
    for (uint32_t i = 0; i < total->points_known && i < 10; i++)
        fprintf(out, " %s", total->segment->points[i].name);
    fputs("\n", out);
}

/* Of a program that has ended, and reached no point. In a long run the calls were listed long ago. */
static void put_calls(FILE *out, const struct session *session, char *const *argv)
{
    const struct trial *trial = session_trial(session);
    struct trial_call calls[TRIAL_MOST];
    if (!trial || trial_rank(trial, calls) == 0)
        return;
    if (trial->slices < TRIAL_SLICES) {
        fputs("     Calls that look like units of work:\n", out);
        suggest_calls(out, trial);
    }
    fputs("     Or take the best of these calls for a point, and type this:\n", out);
    suggest_command(out, trial, argv);
}

bool advice_after(FILE *out, struct advice *advice, struct session *session, unsigned runs,
                  const struct session_progress *total, char *const *argv)
{
    if (message_left(total->segment))
        tell(out, session, "%s", message_left(total->segment));
    if (*session_note(session))
        tell(out, session, "%s", session_note(session));
    put_signal(out, session, total->segment);
    put_all_refused(out, session, total->segment);
    put_rest(out, advice, session, runs, total);
    if (total->points_reached == 0 && atomic_load(&total->segment->processes) > 0) {
        put_points(out, total);
        put_calls(out, session, argv);
    }
    put_windows(out, session, total);
    return total->windows > 0;
}
