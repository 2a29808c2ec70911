/* What earlier runs left in the profile that this one appends to. */
#pragma once

#include "experiment/targets/target_names.h"
#include "experiment/targets/targets.h"
#include "stats/answers/analysis.h"

#include <limits.h>

/* Tells `targets` how often each target was drawn before, so that short runs go on where the last one
 * stopped. Profiles of more than 64 MiB are not read: a program that long has its answers. */
void history_remember_draws(struct targets *targets, const char *profile, const struct target_names *names);

/* Draws a target in proportion to its samples in earlier runs; 0 when there are none. */
uint32_t history_draw_target(const char *profile, const struct target_names *names, uint64_t *seed);

/* Adds what the profile holds of earlier runs of the program: of this build of it, and of that path (absolute)
 * where a run does not tell its build, or `mixes` says that any will do. 0, or -ENOMEM; a profile that cannot
 * be read holds nothing. */
int history_analyse(struct analysis *analysis, const char *profile, const char *program, const char *build_id,
                    bool mixes);

/* -EINVAL when the profile holds runs of another program or build, with words that name both and what to do;
 * -ENOMEM; else 0, also for a profile that is not read. */
int history_check_build(const char *profile, const char *program, const char *build_id,
                        struct coz_error *err);

/* Renames the profile to `aside`, a name beside it that nothing has yet (profile.jsonl becomes
 * profile-1.jsonl). 0 or a negative errno. */
int history_set_aside(const char *profile, char aside[PATH_MAX], struct coz_error *err);
