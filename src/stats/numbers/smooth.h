/* What one speedup says about the others: a curve of effects begins at 0 and goes on without jumps. Internal
 * to src/stats/.
 *
 * The curve is taken for a straight line through the origin plus an integrated Wiener process, which is the
 * stochastic model behind cubic smoothing splines (Wahba, J. R. Statist. Soc. B 40, 1978); its mean and
 * variance, given what was measured, are those of Gaussian process regression (Rasmussen and Williams,
 * Gaussian Processes for Machine Learning, 2006, equations 2.23 to 2.26 and 2.30). How much curves bend is
 * not known beforehand: most hardly do, and some have a corner, where something else becomes the bottleneck.
 * So several amounts are tried, and weighed by how likely each makes what was seen. A corner that stands out
 * of the noise is kept, one that does not is not drawn. Where both sides of 0 were tried, the slope may change
 * there as much at once as along a whole curve: what is just as slow as something else beside it has a corner
 * right there.
 *
 * How steep it begins is not known either. What takes a share of the time saves that share, or less where others do as
 * well meanwhile; seldom it saves more, where there is less to wait for, or costs. So three beginnings are tried: all of
 * the share, some of it, and anything. What noise says beyond the share is taken back, unless it stands out. But no
 * answer gets surer by what was thought before: errors are those of a curve that may begin with anything. */
#pragma once

#include <stddef.h>

struct smooth_point {
    double speedup; /* 0.25: a quarter less time in the line; negative: a slowdown */
    double effect;  /* 1 - the ratio of times per visit */
    double error;   /* standard error of that ratio's logarithm; INFINITY: nothing is known */
};

/* Replaces effects and errors by what all points together say. The points are of different speedups, not 0;
 * `correlation` is that of any two errors, 0..1; `share` that of the time that the target runs, NAN: it may save
 * anything. 0, or -ENOMEM, and nothing was changed. */
int smooth(struct smooth_point *points, size_t n, double correlation, double share);
