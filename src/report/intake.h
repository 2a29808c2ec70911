/* Profiles on their way into an analysis: each record goes there, to the story of the runs, and to what is known
 * of their builds. */
#pragma once

#include "profile/builds.h"
#include "profile/record.h"
#include "report/report.h"
#include "stats/answers/analysis.h"
#include "stats/answers/story.h"
#include "stats/latency/latencies.h"
#include "stats/waits/waiting.h"

#include <stdbool.h>
#include <stdint.h>

/* Starts zeroed, but for `pid` and `profile`. */
struct intake {
    struct analysis *analysis;
    struct story *story;
    struct waiting *waiting;
    struct latencies *latencies;
    struct builds builds;
    const char *profile; /* that is being read; the caller's */
    uint64_t records;
    uint64_t pid;    /* only this process's part of the points; 0: that of all processes */
    uint64_t of_pid; /* points that the process visited */
    bool is_open;    /* a run has begun, and its end was not read */
};

/* 0 or -ENOMEM. To be released in any case. */
int intake_begin(struct intake *intake);
void intake_release(struct intake *intake);

/* A report may say what they know, beside the analysis, as long as they are there. */
void intake_lend(const struct intake *intake, struct report_options *options);

/* Takes a record. 0 or -ENOMEM. */
int intake_add(struct intake *intake, const struct profile_record *record);
