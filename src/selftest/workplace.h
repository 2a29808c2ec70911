/* Where the known-answer programs are run. Internal to src/selftest/. */
#pragma once

#include "base/error.h"

#include <limits.h>

/* A folder of our own with the program that is profiled in it. */
struct workplace {
    char folder[PATH_MAX / 2], workload[PATH_MAX], profile[PATH_MAX];
};

/* The program is part of this one, and written out to be run: so its debug information is there whatever a
 * package has stripped, and nothing else needs to be installed. */
int workplace_make(struct workplace *workplace, struct coz_error *err);
void workplace_remove(const struct workplace *workplace);
