/* How right that is. Internal to src/selftest/. */
#pragma once

#include "selftest/lines.h"

/* Fills in the marks and all that follows from them. */
void selftest_judge(struct selftest *selftest);
