/* The targets that the user has named (--fixed-line and its like). */
#pragma once

#include "base/error.h"
#include "experiment/target_names.h"
#include "experiment/targets.h"

enum { FIXED_MOST = 64 };

struct fixed_targets {
    const char *names[FIXED_MOST]; /* lines, functions or call sites, as the granularity says */
    size_t count;
};

/* Finds what was named, for targets to draw in turn: a function's name may be that of several. -EINVAL: there
 * is none such, and err names the nearest that there are. */
int fixed_targets_resolve(const struct fixed_targets *fixed, const struct target_names *names,
                          struct targets *targets, struct coz_error *err);
