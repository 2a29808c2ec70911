/* coz doctor: whether profiling will work, and what stands in the way. */
#include "base/clock.h"
#include "base/signals.h"
#include "cli/commands.h"
#include "cli/run_options.h"
#include "diagnosis/diagnose.h"
#include "experiment/facts/watch.h"
#include "experiment/session/launch.h"
#include "report/cells.h"
#include "shared/create.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { EXIT_WORKS = 0, EXIT_DOES_NOT = 1, EXIT_WRONG = 2 };

/* A program that takes no notice of SIGTERM is killed five seconds later. */
static const double run_s = 5.3;
static const uint64_t look_every_ns = 500000000;
static const struct timespec watch_time = {2, 200000000};

static const char doctor_usage[] =
    "Usage: coz doctor [OPTIONS] [--- PROGRAM [ARGUMENTS...]]      (-- will do too)\n"
    "\n"
    "Tells whether profiling will work, what stands in the way, and what to do about it: on this machine,\n"
    "in 3 seconds; and with a program, which it runs for 5 seconds, then ends, and makes no profile of.\n"
    "\n"
    "OPTIONS are those of `coz run` (see `coz run --help`); what says how long, or where to, is not heeded.\n"
    "  -h, --help                 this text\n"
    "\n"
    "The exit status is 0 when profiling will work, 1 when it will not, 2 for wrong usage.\n";

/* ---- what is said ---- */

static void put_clean(FILE *out, const char *before, const char *text)
{
    char *clean = clean_text(text, true);
    fprintf(out, "%s%s\n", before, clean ? clean : "?");
    free(clean);
}

static void put_findings(FILE *out, const struct findings *findings)
{
    static const char *const marks[] = {
        [FINDING_NOTE] = "note:  ", [FINDING_HINTS] = "but:   ", [FINDING_STOPS] = "no:    "};
    for (size_t i = 0; i < findings->count; i++) {
        put_clean(out, marks[findings->list[i].weight], findings->list[i].what);
        put_clean(out, "       ", findings->list[i].remedy);
    }
}

static int conclude(FILE *out, const struct findings *findings, const char *what)
{
    bool stops = findings_stop(findings);
    put_findings(out, findings);
    if (stops)
        fprintf(out, "%s will not work as it is.\n", what);
    else if (findings->count)
        fprintf(out, "%s will work, with what was said in mind.\n", what);
    else
        fprintf(out, "%s will work.\n", what);
    return stops ? EXIT_DOES_NOT : EXIT_WORKS;
}

static void put_perf(FILE *out)
{
    int failure = watch_try_perf();
    if (failure)
        fprintf(
            out,
            "fine:  perf events are refused (%s): samples come by timers, which need no privilege. To allow perf: sysctl kernel.perf_event_paranoid=2\n",
            strerror(failure));
    else
        fputs("fine:  perf events are permitted; samples come by timers unless --sampler perf is said.\n",
              out);
}

static void put_cores(FILE *out, const struct machine_facts *machine)
{
    fprintf(
        out,
        "fine:  %u processor%s may be used; of their time, others took %.0f %% just now, and the host %.0f %%.\n",
        machine->cores, machine->cores == 1 ? "" : "s", 100 * machine->others, 100 * machine->stolen);
}

/* ---- the machine ---- */

/* Whether the runtime is there, and can be reached by a program. */
static bool has_parts(struct coz_error *err)
{
    char path[PATH_MAX];
    struct runtime_link link;
    struct segment_owner owner;
    if (launch_find_runtime(false, path, err) || launch_link_runtime(path, &link, err))
        return false;
    launch_unlink_runtime(&link);
    int rc = segment_create(&owner, err);
    if (rc == 0)
        segment_destroy(&owner);
    return rc == 0;
}

static int examine_machine(void)
{
    struct coz_error err = {""};
    struct facts facts = {0};
    struct findings findings;
    struct watch watch;
    struct segment_owner owner;
    if (!has_parts(&err) || segment_create(&owner, &err)) {
        put_clean(stdout, "no:    ", err.text);
        puts("Profiling will not work as it is.");
        return EXIT_DOES_NOT;
    }
    puts("fine:  libcoz.so is there, and so is memory to share with programs.");
    put_perf(stdout);
    fflush(stdout);
    watch_begin(&watch, 0, clock_wall_ns());
    nanosleep(&watch_time, NULL);
    watch_look(&watch, owner.segment, clock_wall_ns(), &facts.machine);
    segment_destroy(&owner);
    put_cores(stdout, &facts.machine);
    diagnose(&facts, &findings);
    puts("       To examine a program: coz doctor --- ./program arguments...");
    return conclude(stdout, &findings, "Profiling on this machine");
}

/* ---- a program ---- */

static volatile sig_atomic_t interrupts;

static void on_signal(int number)
{
    (void)number;
    interrupts = interrupts + 1;
}

/* That it came ends a wait that would have gone on for milliseconds after the program. */
static void on_child(int number)
{
    (void)number;
}

static void catch_signals(void)
{
    struct sigaction child = {.sa_handler = on_child, .sa_flags = SA_RESTART | SA_NOCLDSTOP};
    struct sigaction action = {.sa_handler = on_signal};
    sigaction(SIGCHLD, &child, NULL);
    signals_catch((const int[]){SIGINT, SIGTERM, SIGHUP, SIGQUIT}, 4, &action);
}

struct examination {
    struct session *session;
    struct facts facts; /* as of the last look; the texts are the session's */
    struct findings findings;
    uint64_t next_ns;
};

static void look(struct examination *examination)
{
    session_facts(examination->session, &examination->facts);
    diagnose(&examination->facts, &examination->findings);
}

/* What is looked at after we have ended the program says of the end what is ours. */
static void on_tick(void *context)
{
    struct examination *examination = context;
    uint64_t now = clock_wall_ns();
    if (interrupts)
        session_stop(examination->session);
    if (now < examination->next_ns || session_stopped(examination->session))
        return;
    examination->next_ns = now + look_every_ns;
    look(examination);
}

static void put_run(FILE *out, const struct run_facts *run)
{
    const struct code_facts *code = &run->code;
    const struct point_facts *points = &run->points;
    if (code->samples)
        fprintf(out, "fine:  %llu samples in %.1f s, %.0f %% of them in scope",
                (unsigned long long)code->samples, run->elapsed_s,
                100.0 * (double)code->in_scope / (double)code->samples);
    if (code->samples && code->leader)
        put_clean(out, ", most at ", code->leader);
    else if (code->samples)
        fputs("\n", out);
    if (points->name) {
        fprintf(out, "fine:  %u progress point%s reached; visited most often, %.*f times a second: ",
                points->reached, points->reached == 1 ? " was" : "s were", points->visits_s < 10,
                points->visits_s);
        put_clean(out, "", points->name);
    }
}

static int examine_program(struct run_options *options)
{
    struct examination examination = {0};
    struct coz_error err = {""};
    int status;
    struct session_options *session = &options->series.session;
    session->output = "/dev/null";
    session->output_is_given = session->mixes_builds = true;
    session->duration_s = run_s;
    session->interrupts = &interrupts;
    catch_signals();
    int rc = session_begin(&examination.session, session, options->program, &err);
    if (rc == 0)
        rc = session_run(examination.session, on_tick, &examination, &status, &err);
    if (rc) {
        session_end(examination.session);
        put_clean(stdout, "no:    ", err.text);
        puts("Profiling this will not work as it is.");
        return rc == -EINVAL ? EXIT_WRONG : EXIT_DOES_NOT;
    }
    if (!session_stopped(examination.session))
        look(&examination);
    put_run(stdout, &examination.facts.run);
    session_end(examination.session);
    if (interrupts)
        puts("It was interrupted: what is said is of the time before.");
    return conclude(stdout, &examination.findings, "Profiling this");
}

int cmd_doctor(int argc, char **argv)
{
    static const struct run_command command = {"doctor", doctor_usage, false};
    struct run_options options;
    int rc = run_options_parse(&options, &command, argc, argv);
    if (rc >= 0)
        return rc;
    return *options.program ? examine_program(&options) : examine_machine();
}
