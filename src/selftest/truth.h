/* What the lines of a known-answer program are really worth. Internal to src/selftest/. */
#pragma once

#include "base/error.h"
#include "selftest/lines.h"

enum { TRUTH_ROUNDS = 64 };

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
