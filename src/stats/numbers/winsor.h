/* The robust centre that all estimates use. Internal to src/stats/; see estimate.c for the reasons. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define WINSOR_SHARE 0.2 /* of each tail */
enum { BOOTSTRAP_ROUNDS = 400 };

/* The mean of sorted[i], finite numbers, each taken weights[i] times (NULL: once), after the lowest and the
 * highest share were replaced by the lowest and highest value that is left. NAN when the weights add up to 0. */
double winsorised_mean(const double *sorted, const uint32_t *weights, size_t n);

/* The standard error that the results of bootstrap rounds stand for. Sorts them. */
double bootstrap_error(double *values, size_t n);
