/* One trial as a whole run of a program that has libcozregions preloaded (src/regions/told.h). */
#pragma once

#include "base/error.h"
#include "experiment/session/launch.h"
#include "regions/campaign.h"

#include <limits.h>

struct whole_run {
    char program[PATH_MAX];
    char **argv;
    bool keeps_output; /* else what it prints to standard output is dropped */
    unsigned cores;
    char answer[PATH_MAX]; /* where processes answer */
    struct runtime_link library;
};

/* To be released in any case. */
int whole_run_init(struct whole_run *run, char **argv, bool keeps_output, struct coz_error *err);
void whole_run_release(struct whole_run *run);

/* For struct campaign_runner; the context is the run. Messages go to standard error. */
int whole_run_make(void *context, struct book *book, const struct trial *trial, double *time_ns);
