/* What earlier runs left in the profile that this one appends to. */
#pragma once

#include "debuginfo/site.h"
#include "experiment/targets.h"
#include "stats/analysis.h"

/* Tells `targets` how often each site was drawn before, so that short runs go on where the last one stopped.
 * Profiles of more than 64 MiB are not read: a program that long has its answers. */
void history_remember_draws(struct targets *targets, const char *profile, const struct site_set *sites);

/* Draws a site in proportion to its samples in earlier runs; 0 when there are none. */
uint32_t history_draw_site(const char *profile, const struct site_set *sites, uint64_t *seed);

/* Adds what the profile holds of earlier runs of the program (an absolute path). 0, or -ENOMEM; a profile
 * that cannot be read holds nothing. */
int history_analyse(struct analysis *analysis, const char *profile, const char *program);
