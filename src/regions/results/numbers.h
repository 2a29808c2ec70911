/* Medians with errors. No I/O, no clock. */
#pragma once

#include <stddef.h>

/* A value and its standard error. NAN: there is none; the error of a single value is NAN. */
struct figure {
    double value, error;
    size_t kept, of; /* values that it rests on, and those that there were */
};

enum { OUTLIER_MADS = 3 };

/*
 * The median of the values that are no outliers, and its standard error. An outlier is further from the median of all
 * than OUTLIER_MADS times the median absolute deviation, which is scaled by 1.4826 to be the standard deviation of
 * normal noise. Where more than half of the values are the same nothing is an outlier. The error is that of a median of
 * normal noise: sqrt(pi / 2) times that of a mean. Sorts the values.
 */
struct figure figure_median(double *values, size_t count);

/* By how many percent a is more than b. Both errors are in it, as if they were independent. */
struct figure figure_change(struct figure a, struct figure b);
