/* The lines of the known-answer programs: what each is worth, what is said of it, and how right that is. */
#pragma once

#include "shared/layout.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

enum { SELFTEST_PROGRAMS = 5, SELFTEST_LINES = 2 * SELFTEST_PROGRAMS };

/* An answer is right when it is at most so many points from the truth, and both intervals are at most so
 * wide. */
#define SELFTEST_WITHIN 0.05
#define SELFTEST_WIDEST 0.20

enum selftest_mark {
    SELFTEST_RIGHT,
    SELFTEST_UNSURE, /* farther off, but the intervals meet; or one of them is too wide to tell */
    SELFTEST_WRONG,
    SELFTEST_SILENT, /* the profile has no answer */
};

/* Shares of the time per visit that are saved when the line takes half of its time: 0.35 is 35 points. */
struct selftest_effect {
    double value, low, high; /* with the 95 % interval */
};

struct selftest_line {
    const char *program;
    char name[16];
    unsigned number; /* in workload.c */
    struct selftest_effect truth, said;
    size_t windows; /* behind what is said */
    enum selftest_mark mark;
};

struct selftest {
    struct selftest_line lines[SELFTEST_LINES]; /* two for each program */
    size_t marks[4];                            /* how many lines have which */
    double mean_error, largest_error;           /* over the lines that have an answer; NAN: none has */
    /* Meanwhile, as shares of all cores' time: what other programs used, and what a virtual machine's cores
     * waited for real ones. */
    double strangers, stolen;
    long cores;
    enum segment_sampler sampler; /* that was used */
    int perf_errno;               /* why not perf, when it was to be */
    bool trusted;                 /* all lines are right */
};

enum { SELFTEST_PATIENCE_S = 20 }; /* with a run that does not end when it should */

struct selftest_options {
    double seconds; /* for everything, about */
    enum segment_sampler sampler;
    volatile sig_atomic_t *interrupts;                      /* as of session_options */
    void (*progress)(const char *program, unsigned number); /* before each program */
};

const char *selftest_mark_name(enum selftest_mark mark);
