/* Known-answer programs, profiled on this machine: for each of their lines, what the profile says it is worth
 * beside what it is worth. The truth is measured, too, by running the same programs with the line's work
 * really cut by half. */
#pragma once

#include "base/error.h"
#include "selftest/lines.h"

/* Returns 0 when there is something to judge, whatever it is; else an errno and why. -EINTR: interrupted. */
int selftest_run(struct selftest *selftest, const struct selftest_options *options, struct coz_error *err);
