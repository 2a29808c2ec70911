/* The targets that the user has named (--target and its like). */
#pragma once

#include "base/error.h"
#include "experiment/targets/target_names.h"
#include "experiment/targets/target_spec.h"
#include "experiment/targets/targets.h"

enum { FIXED_MOST = 64 };

struct fixed_targets {
    struct target_spec specs[FIXED_MOST]; /* all of one granularity */
    size_t count;
    bool late; /* of functions: they may come later, with generated code or a library */
    /* What is not there is left out of what it is named with: another build may be without it. */
    bool may_be_gone;
};

/* Finds what was named, for targets to draw in turn: a function's name may be that of several. What is named with
 * others at once is drawn by itself, too. Names of threads are taken as they are. -EINVAL: there is none such, and
 * err names the nearest that there are; not so for functions that may come late. names->groups is `groups`. */
int fixed_targets_resolve(const struct fixed_targets *fixed, const struct target_names *names,
                          struct target_groups *groups, struct site_set *sites, struct targets *targets,
                          struct coz_error *err);

/* Adds those that have come since, when that may be. To be called when there are new sites. */
void fixed_targets_look(const struct fixed_targets *fixed, const struct target_names *names,
                        struct target_groups *groups, struct targets *targets);

/* What is to be said at the end of one that never came, as the names of threads that were; "" if nothing. */
const char *fixed_targets_missing(const struct fixed_targets *fixed, const struct target_names *names,
                                  char *text, size_t size);
