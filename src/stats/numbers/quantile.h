/* Quantiles of the normal and of Student's distribution, and of samples. Internal to src/stats/. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* x with P(X <= x) = p, 0 < p < 1. */
double quantile_normal(double p);
double quantile_student(double p, double degrees_of_freedom);

/* Of a sample sorted upwards, linearly interpolated; NAN when n == 0. */
double quantile_sorted(const double *sorted, size_t n, double p);
void sort_doubles(double *values, size_t n);
