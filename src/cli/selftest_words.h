/* What `coz selftest` prints. */
#pragma once

#include "selftest/selftest.h"

#include <stdio.h>

void selftest_text(FILE *out, const struct selftest *selftest);
/* {"schema":1, "trusted":bool, "within":0.05, "widest":0.2, "sampler":s, "cores":n, "strangers":x,
 * "mean_error":x, "largest_error":x, "lines":[{"program":s, "line":s, "mark":s, "truth":{"effect":x, "low":x,
 * "high":x}, "said":{"effect":x, "low":x, "high":x}, "windows":n}]}; what is not known is null. */
void selftest_json(FILE *out, const struct selftest *selftest);
