/* Estimators: pure functions of numbers. No I/O, no clock, no global state; randomness comes from a seed. */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct estimate {
    double value;     /* NAN when n == 0 */
    double low, high; /* the interval, at the level asked for; -INFINITY/INFINITY when n < 2 */
    size_t n;
};

/* The centre of a sample that may hold outliers, with a bootstrap interval. The centre is robust (its
 * breakdown point and the reason for the choice are told in estimate.c). values is not changed. level: 0.95.
 */
struct estimate estimate_centre(const double *values, size_t n, double level, uint64_t seed);

/* 1 - exp(x): a log-ratio of times per visit turned into the share of time saved. */
double effect_of_log_ratio(double log_ratio);
/* The way back; an effect of nearly 1 or more counts as 0.999, so that there is one. */
double log_ratio_of_effect(double effect);
