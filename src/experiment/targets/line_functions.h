/* The functions that sampled lines are in, for the report's sums by function. */
#pragma once

#include "debuginfo/debuginfo.h"
#include "shared/layout.h"

/* For each of count sites the function of its code, to be freed, or NULL; only sites that `wanted` says are
 * looked for. Reads the units of the modules that have them once more. The array is to be freed too; NULL
 * when memory is out. */
char **line_functions_find(const struct segment *segment, const struct scope *scope,
                           const struct site_set *sites, const bool *wanted);
