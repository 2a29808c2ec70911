/* A session from within: what its own files share. The data's way: session_begin.c makes everything ready,
 * session_run.c has the loop, session_end.c the last words, and session_ask.c what others may ask. */
#pragma once

#include "base/machine.h"
#include "debuginfo/build.h"
#include "experiment/code/modules.h"
#include "experiment/facts/looks.h"
#include "experiment/facts/watch.h"
#include "experiment/schedule/schedule.h"
#include "experiment/session/ending.h"
#include "experiment/session/launch.h"
#include "experiment/session/session.h"

#include <limits.h>

/* What the diagnosis wants to know, beside what all others do. */
struct session_watching {
    enum file_kind kind;
    bool is_read; /* the program is in scope, and its debug information was looked for */
    struct looks looks;
    struct watch machine;
    struct machine_facts of_machine;       /* as of the last look */
    uint64_t points_since_ns;              /* when a point was first seen reached; 0: not yet */
    uint64_t first_counts[SEGMENT_POINTS]; /* as of then */
    bool looked_for_shared[SEGMENT_POINTS];
    enum known has_points;
    unsigned users; /* of the point `shared` */
    char shared[SEGMENT_POINT_NAME], module[SEGMENT_MODULE_PATH], leader[2 * PATH_MAX], spinner[2 * PATH_MAX];
};

struct kept_remark {
    char *text, *remedy; /* owned; NULL: there is no remedy */
};

/* What the user was told before the run's first record was written. */
struct session_remarks {
    struct kept_remark *list;
    size_t count, capacity;
};

struct session {
    struct session_options options;
    struct segment_owner owner;
    struct site_set sites;
    struct target_names names;
    struct target_groups groups;
    struct wait_targets waits;
    struct modules *modules;
    struct debuginfo info; /* of the program itself */
    struct trial trial;
    char auto_point[SEGMENT_POINT_NAME];
    struct heartbeat heartbeat;
    struct families *families;     /* of those who meet breakpoints; NULL: there are none */
    struct schedule_inputs inputs; /* of the schedule */
    struct schedule schedule;
    struct profile_writer *writer;
    struct session_progress progress;
    struct coz_error write_error;
    int failure; /* the negative errno that ended the experiments; 0: they go on */
    bool appends;
    char program[PATH_MAX];
    char aside[PATH_MAX];
    char build_id[BUILD_TEXT]; /* of the program; "" when it cannot be read */
    struct runtime_link runtime;
    char missing[640]; /* what is to be said of a target that never came */
    struct session_remarks remarks;
    char **argv;
    struct ending ending;
    struct session_watching watching;
    bool has_ended;             /* the program has */
    uint64_t started_ns;        /* on the monotonic clock, */
    uint64_t started_wall_ns;   /* and since 1970 */
    struct machine_watch watch; /* since then */
};

/* The sink of all records: one goes to the file and to the live analysis. 0, or a negative errno, of which
 * write_error may say more. */
int session_record(void *context, const struct profile_record *record);

/* What is drawn for and what is known of targets. */
static inline struct targets *session_targets(struct session *session)
{
    return &session->schedule.results.blocks.targets;
}

/* How long the program ran, or until it was asked to end. What it does then, and what the controller has to do or waits
 * for, is no part of it: it would count as a phase in which no line ran. */
static inline uint64_t session_run_ns(const struct session *session)
{
    uint64_t over_ns = session->ending.over_ns, asked_ns = atomic_load(&session->ending.asked_ns);
    return (asked_ns && asked_ns < over_ns ? asked_ns : over_ns) - session->started_ns;
}

/* The first record: which program and build it is, and when. */
int session_write_startup(struct session *session);

/* Those of before go behind it. */
void session_write_remarks(struct session *session);
void session_release_remarks(struct session *session);

/* To be called from time to time: since when points are reached. */
void session_watch_points(struct session *session, uint64_t now_ns);

/* What the status line is made of, as of now. */
void session_update_progress(struct session *session, uint64_t now_ns);

/* The last records: how long it was, and where its samples fell. The program has ended. */
int session_write_end(struct session *session);
