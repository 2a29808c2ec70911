/* Tests of whether something differs at all, and of many things at once. Internal to src/stats/. */
#pragma once

#include <stddef.h>

/* The chance that Student's distribution gives |t| or more; of the normal one where there are infinitely many
 * degrees of freedom. */
double tail_student(double t, double degrees_of_freedom);

/* Degrees of freedom of a sum of n independent errors (Welch and Satterthwaite). An error of infinitely many is
 * known exactly. */
double freedom_of_sum(const double *errors, const double *freedoms, size_t n);

/* Replaces chances by Holm's: where only those are believed that are then at most 0.05, a single one of all is
 * wrong in 5 % of cases at most, however they hang together (Holm, Scand. J. Statist. 6, 1979). NAN is no test
 * and stays. 0 or -ENOMEM. */
int adjust_for_many(double *chances, size_t n);
