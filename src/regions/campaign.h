/* Iterations of trials, however a trial is made: by calling a function, or by running a program. */
#pragma once

#include "regions/results/book.h"

#include <signal.h>
#include <stdio.h>

struct campaign_runner {
    /* Makes one call. *time_ns becomes how long it took, less what was waited for where that is subtracted. In a
     * baseline regions are added to the book, or more of their counts and shares. 0, or a negative errno after a
     * message: then all ends. */
    int (*make)(void *context, struct book *book, const struct trial *trial, double *time_ns);
    void *context;
};

struct campaign_options {
    unsigned iterations, warm_ups; /* 1 or more */
    uint64_t seed;
    bool is_quiet;
    FILE *out;              /* the table, the progress and messages */
    const char *call;       /* what is made: "call", "run" */
    const char *csv, *json; /* NULL: none */
    /* After each iteration; 0, or a negative errno after a message. NULL: nothing. */
    int (*done)(void *context, const struct book *book);
    void *context;
    const volatile sig_atomic_t *stop; /* ends it before the next trial; NULL: never */
};

/* The book is an initialised one, empty, and holds what was measured in any case. 0, -ENOENT: there is no region, -EINTR:
 * it was stopped, or what the runner and `done` return. */
int campaign_run(const struct campaign_options *options, const struct campaign_runner *runner,
                 struct book *book);
