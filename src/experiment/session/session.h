/* One profiled run: starts the program, steers the experiments, writes the profile. The controller's loop. */
#pragma once

#include "base/error.h"
#include "debuginfo/debuginfo.h"
#include "diagnosis/facts.h"
#include "experiment/points/spec.h"
#include "experiment/points/trial.h"
#include "experiment/targets/fixed_targets.h"
#include "experiment/targets/region_targets.h"
#include "experiment/targets/wait_targets.h"
#include "profile/writer.h"
#include "shared/layout.h"
#include "stats/answers/analysis.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { SESSION_SPEEDUPS = 101 };

struct session_options {
    const char *output;
    bool output_is_given; /* else a profile of another build is set aside, and not refused */
    enum profile_format format;
    struct scope scope;
    enum granularity granularity;
    bool granularity_is_given; /* else it becomes that of functions for a program without lines */
    struct fixed_targets fixed;
    const struct point_spec *points; /* that the program does not announce itself */
    size_t point_count;
    bool auto_point; /* without a point, the call that looks most like a unit of work becomes one */
    struct wait_targets waits;
    struct region_targets regions;
    int speedups[SESSION_SPEEDUPS]; /* thousandths */
    size_t speedup_count;
    bool mixes_builds;  /* appends to a profile of another program or build, too */
    bool end_to_end;    /* the whole run is one window */
    bool counts_only;   /* no samples, no delays, no windows and no profile: only visits are counted, in the
                           segment */
    double duration_s;  /* end the program after that long; 0: when it ends by itself */
    uint64_t seed;      /* 0: from the clock */
    uint64_t period_ns; /* mean CPU time between samples */
    enum segment_sampler sampler;
    enum segment_follow follow;
    /* Set by the caller's signal handler: how often we were interrupted, at the second time the tree is killed;
     * and a bit for each signal (1u << number) that the program is to get, too. */
    volatile sig_atomic_t *interrupts;
    _Atomic uint32_t *passed_on;
    int wishes; /* a socket from which somebody steers the run (wishes.h), the caller's; 0: none */
    /* Where the windows of several runs come together, the caller's; NULL: the session has one of its own. */
    struct analysis *analysis;
};

/* What the status line and the closing words are made of. */
struct session_progress {
    uint64_t elapsed_ns;
    uint64_t stolen_from;        /* of the discarded: those in which the machine was not ours (stolen.h) */
    uint64_t windows, discarded; /* finished ones; of those, thrown away because the ledger did not balance or
                                    nobody came */
    uint64_t samples, in_scope;
    uint32_t points_known, points_reached;
    uint32_t targets; /* that had at least one window */
    enum segment_sampler sampler;
    int perf_errno;
    uint32_t slots_left;           /* at the end: slots of threads that are still taken */
    pid_t daemon;                  /* what the program, which has ended, left running; 0: nothing */
    const struct segment *segment; /* for names of points and modules; valid until session_end() */
    struct analysis *analysis;
};

struct session;

/* Reads the program's debug information and makes everything ready; nothing runs yet. -ENOENT, -EACCES: the
 * program; -EINVAL: a fixed line or a progress point is nowhere (err names the nearest that are), or the
 * output was given and holds runs of another build. */
int session_begin(struct session **out, const struct session_options *options, char **argv,
                  struct coz_error *err);

/* Runs the program to its end. on_tick is called about ten times a second. *wait_status is what waitpid()
 * said. */
int session_run(struct session *session, void (*on_tick)(void *context), void *context, int *wait_status,
                struct coz_error *err);

const struct session_progress *session_progress(struct session *session);

/* True when the output file held something before: a run of the same program appends. */
bool session_appends(const struct session *session);

/* Where the output of another program or build was moved to before this run; "" when there was none. */
const char *session_set_aside(const struct session *session);

/* What targets are. fell_back: functions, because the program has no lines. */
enum granularity session_granularity(const struct session *session, bool *fell_back);

/* What the user ought to know about generated code; "" if nothing. */
const char *session_note(const struct session *session);

/* The user was told this about the run, and what to do about it (NULL: nothing): the profile is to hold it, too. */
void session_remark(struct session *session, const char *text, const char *remedy);

/* Why there are no experiments any more, though the program goes on: the profile cannot be written, say. NULL
 * while there are. session_run() will fail with it. */
const char *session_failure(const struct session *session);

/* What is tried at the moment: its name into text, and the speedup, 0 in a baseline window. False: nothing. */
bool session_trying(const struct session *session, char *text, size_t size, int *permille);

/* Which calls could be progress points, when none was visited in the first seconds, or in a program that ended
 * before; NULL: that is not known yet, or of no interest. */
const struct trial *session_trial(const struct session *session);
/* The point that was made of one of them; "" when none was. */
const char *session_auto_point(const struct session *session);

/* Of the program itself; 0 when it has ended. */
pid_t session_pid(const struct session *session);

/* The program's debug info status, warnings, and where the sources are, for advice. */
const struct debuginfo *session_debuginfo(const struct session *session);
/* What is known for a diagnosis, as of now: of the program's file before the run, of the run during it and after.
 * Looks at the tree and the machine, which takes some milliseconds. Texts are valid until the next call. */
void session_facts(struct session *session, struct facts *facts);

/* To be called from on_tick: ends the program, by SIGTERM and five seconds later by SIGKILL, as happens when
 * the duration is over. */
void session_stop(struct session *session);
/* True when the program was ended by that, or because the duration was over. */
bool session_stopped(const struct session *session);
/* True when it took SIGKILL. */
bool session_killed(const struct session *session);
const char *session_program(const struct session *session);
const char *session_build_id(const struct session *session); /* "" when the program cannot be read */

void session_end(struct session *session);
