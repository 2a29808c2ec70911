/* What the profiler says that they are worth. Internal to src/selftest/. */
#pragma once

#include "selftest/lines.h"
#include "selftest/workplace.h"

/* Profiles the unmodified program for so long, and fills in what is said about both lines. */
int said_measure(struct selftest *selftest, const struct workplace *workplace, double seconds,
                 struct selftest_line lines[2], const struct selftest_options *options,
                 struct coz_error *err);
