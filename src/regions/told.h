/*
 * A whole run of a program is one trial, and `coz regions` tells which, by the environment:
 *
 *     COZ_REGIONS_TRIAL    "full region -0.2 NAME": the method, the kind, the share, and the region's name
 *     COZ_REGIONS_ANSWER   the file to which the process appends what it found, when it ends
 *
 * In the process the library reads it as it is loaded. An answer is a line, and one for each region:
 *
 *     answer PID NS REGIONS
 *     region COUNT NS LEFT_OPEN NEVER_BEGUN LENGTH NAME
 */
#pragma once

#include "regions/experiments.h"

#include <stdio.h>

#define TOLD_TRIAL "COZ_REGIONS_TRIAL"
#define TOLD_ANSWER "COZ_REGIONS_ANSWER"

struct answer {
    long pid;
    double time_ns;           /* less the pauses that are subtracted */
    struct finding *findings; /* owned, as their names are */
    size_t count;
};

/* Whether this process is part of such a run. */
bool told_is(void);

/* Text for TOLD_TRIAL; freed by the caller. `name` is for TRIAL_REGION. NULL: no memory. */
char *told_trial(enum trial_kind kind, bool is_simple, double share, const char *name);

void told_write(FILE *out, const struct answer *answer);

/* The next one. 1, 0 at the end of the file, -EINVAL: it is damaged, -ENOMEM. */
int told_read(FILE *in, struct answer *answer);
void told_release(struct answer *answer);
