/* What coz verify is to do. */
#pragma once

#include "debuginfo/names/scope.h"

#include <signal.h>

enum { VERIFY_ROUNDS_LEAST = 3, VERIFY_ROUNDS_MOST = 1000 };

struct verify_options {
    char **before, **after; /* programs with their arguments */
    const char *profile;    /* NULL: nothing was promised */
    const char *line;       /* the target; NULL: the profile's leader, if there is one */
    const char *after_line; /* where it is in the new build; NULL: it is looked for */
    const char *point;      /* NULL: the leader's, or the one that is visited most */
    struct scope scope;     /* of targets, as of coz run */
    unsigned rounds;        /* of one run of each kind of each build, in an order that is drawn anew */
    double seconds;         /* all runs together */
    uint64_t seed;          /* of those orders */
    volatile sig_atomic_t *interrupts; /* as of session_options */
    void (*progress)(void *context, unsigned round, bool is_after, bool is_sampled); /* before each run */
    void *context;
};
