/* What selftest.c is made of. Internal to src/selftest/. */
#pragma once

#include "selftest/selftest.h"

#include <limits.h>

/* A folder of our own with the program that is profiled in it. */
struct workplace {
    char folder[PATH_MAX / 2], workload[PATH_MAX], profile[PATH_MAX];
};

/* The program is part of this one, and written out to be run: so its debug information is there whatever a
 * package has stripped, and nothing else needs to be installed. */
int workplace_make(struct workplace *workplace, struct coz_error *err);
void workplace_remove(const struct workplace *workplace);

enum { TRUTH_ROUNDS = 64 };

enum { SELFTEST_PATIENCE_S = 20 }; /* with a run that does not end when it should */

/* What the rounds said so far: log-ratios of time per visit, with either line cut, to the original of the
 * round. */
struct truth {
    double ratios[2][TRUTH_ROUNDS];
    size_t rounds;
};

/* Runs so many rounds of the original and both cuts, in shuffled order, each `seconds` long. Fills in the
 * lines' names and numbers. */
int truth_measure(struct truth *truth, size_t rounds, double seconds, const char *workload,
                  struct selftest_line lines[2], const struct selftest_options *options,
                  struct coz_error *err);
struct selftest_effect truth_effect(const struct truth *truth, size_t line);

/* Profiles the unmodified program for so long, and fills in what is said about both lines. */
int said_measure(struct selftest *selftest, const struct workplace *workplace, double seconds,
                 struct selftest_line lines[2], const struct selftest_options *options,
                 struct coz_error *err);

/* Fills in the marks and all that follows from them. */
void selftest_judge(struct selftest *selftest);
