/* The targets that the user has named (--fixed-line and its like). */
#pragma once

#include "base/error.h"
#include "experiment/targets/target_names.h"
#include "experiment/targets/targets.h"

enum { FIXED_MOST = 64 };

struct fixed_targets {
    const char *names[FIXED_MOST]; /* lines, functions or call sites, as the granularity says */
    size_t count;
    bool late; /* of functions: they may come later, with generated code or a library */
};

/* Finds what was named, for targets to draw in turn: a function's name may be that of several. -EINVAL: there
 * is none such, and err names the nearest that there are; not so for functions that may come late. */
int fixed_targets_resolve(const struct fixed_targets *fixed, const struct target_names *names,
                          struct targets *targets, struct coz_error *err);

/* Adds those that have come since, when that may be. To be called when there are new sites. */
void fixed_targets_look(const struct fixed_targets *fixed, const struct target_names *names,
                        struct targets *targets);

/* A name that may come late and has not come; NULL when all are there. */
const char *fixed_targets_missing(const struct fixed_targets *fixed, const struct target_names *names);
