#include "stats/numbers/smooth.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* What the slope at the origin may be, of what the target's share of the time is; and how likely it is so, before
 * anything was seen. */
struct origin {
    double mean, deviation, chance;
};
/* In units of 1: impacts of more than 1 are rare, but for latencies. */
static const struct origin anything = {0, 2, 0.2};
/* In units of the share, as it takes all of the time it runs, or some. docs/history/choices.md tells how the numbers
 * were chosen. */
static const struct origin of_share[] = {{0.6, 0.4, 0.55}, {1, 0.1, 0.25}};

/* The error of an effect is that of the logarithm times what is left of the time. That is taken of the
 * smoothed effect, since where noise makes an effect too large it makes its error too small; and it is never
 * nothing. */
#define LEAST_LEFT 0.02
enum { ITERATIONS = 3 };
/* The error of a point of which nothing is known. */
#define UNKNOWN 1e3

/* Standard deviations of how much the slope changes along the whole curve, each as likely as the others
 * before anything was seen. docs/history/choices.md tells how they were chosen. */
static const double bends[] = {0.05, 0.3, 1, 3};
enum {
    BENDS = sizeof bends / sizeof *bends,
    ORIGINS = 1 + sizeof of_share / sizeof *of_share,
    BELIEFS = ORIGINS * BENDS,
};

/* What a curve that bends so much would be, given what was measured. */
struct belief {
    double *mean, *variance; /* of each point */
    double log_likelihood;
};

struct workspace {
    size_t n;
    double correlation;
    bool has_sides;
    double share;   /* of the time; 0: not known */
    double *prior;  /* n x n: covariances of the curve's effects */
    double *factor; /* n x n: those of what is measured, then their Cholesky factor */
    double *error;  /* n: standard errors of what is measured */
    double *residual, *column;
    struct belief beliefs[BELIEFS]; /* the first BENDS are those of anything */
};

/* All of it, to be freed by its first array. */
static int reserve_workspace(struct workspace *space, size_t n)
{
    double *next = malloc((2 * n + 3 + 2 * BELIEFS) * n * sizeof *next);
    if (!next)
        return -ENOMEM;
    space->n = n;
    space->prior = next;
    space->factor = next += n * n;
    space->error = next += n * n;
    space->residual = next += n;
    space->column = next += n;
    for (size_t b = 0; b < BELIEFS; b++) {
        space->beliefs[b].mean = next += n;
        space->beliefs[b].variance = next += n;
    }
    return 0;
}

/* has_sides: there are points on both sides of 0. */
static double covariance(double s, double t, double slope, double bend, bool has_sides)
{
    double line = slope * slope * s * t;
    if (s * t < 0)
        return line;
    double near = fmin(fabs(s), fabs(t)), far = fmax(fabs(s), fabs(t));
    if (has_sides)
        line += bend * bend * s * t / 2;
    return line + bend * bend * near * near * (3 * far - near) / 6;
}

static double error_covariance(const struct workspace *space, size_t i, size_t j)
{
    return (i == j ? 1 : space->correlation) * space->error[i] * space->error[j];
}

/* In place, the lower triangle. */
static void decompose_matrix(double *matrix, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j <= i; j++) {
            double sum = matrix[i * n + j];
            for (size_t k = 0; k < j; k++)
                sum -= matrix[i * n + k] * matrix[j * n + k];
            matrix[i * n + j] = i == j ? sqrt(sum) : sum / matrix[j * n + j];
        }
    }
}

/* vector := the x with factor x = vector. */
static void divide_by_factor(const double *factor, size_t n, double *vector)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < i; k++)
            vector[i] -= factor[i * n + k] * vector[k];
        vector[i] /= factor[i * n + i];
    }
}

static double dot_product(const double *x, const double *y, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}

/* `unit` is what the origin and the bend are in units of. */
static void form_belief(struct workspace *space, const struct smooth_point *points,
                        const struct origin *origin, double bend, double unit, struct belief *belief)
{
    size_t n = space->n;
    double mean = unit * origin->mean, slope = unit * origin->deviation;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            space->prior[i * n + j] =
                covariance(points[i].speedup, points[j].speedup, slope, unit * bend, space->has_sides);
            space->factor[i * n + j] = space->prior[i * n + j] + error_covariance(space, i, j);
        }
        space->residual[i] = isfinite(points[i].error) ? points[i].effect - mean * points[i].speedup : 0;
    }
    decompose_matrix(space->factor, n);
    divide_by_factor(space->factor, n, space->residual);
    belief->log_likelihood = log(origin->chance) - dot_product(space->residual, space->residual, n) / 2;
    for (size_t i = 0; i < n; i++) {
        belief->log_likelihood -= log(space->factor[i * n + i]);
        for (size_t j = 0; j < n; j++)
            space->column[j] = space->prior[j * n + i];
        divide_by_factor(space->factor, n, space->column);
        belief->mean[i] = mean * points[i].speedup + dot_product(space->column, space->residual, n);
        belief->variance[i] = space->prior[i * n + i] - dot_product(space->column, space->column, n);
    }
}

/* Into weights[], which sum to 1. */
static void weigh(const struct belief *beliefs, size_t count, double *weights)
{
    double best = -INFINITY, sum = 0;
    for (size_t b = 0; b < count; b++)
        best = fmax(best, beliefs[b].log_likelihood);
    for (size_t b = 0; b < count; b++)
        sum += weights[b] = exp(beliefs[b].log_likelihood - best);
    for (size_t b = 0; b < count; b++)
        weights[b] /= sum;
}

static double mean_of(const struct belief *beliefs, const double *weights, size_t count, size_t i)
{
    double sum = 0;
    for (size_t b = 0; b < count; b++)
        sum += weights[b] * beliefs[b].mean[i];
    return sum;
}

static double variance_of(const struct belief *beliefs, const double *weights, size_t count, size_t i)
{
    double mean = mean_of(beliefs, weights, count, i), sum = 0;
    for (size_t b = 0; b < count; b++) {
        double off = beliefs[b].mean[i] - mean;
        sum += weights[b] * (beliefs[b].variance[i] + off * off);
    }
    return sum;
}

static double left_of(double effect)
{
    return fmax(1 - effect, LEAST_LEFT);
}

static bool has_both_sides(const struct smooth_point *points, size_t n)
{
    bool slower = false, faster = false;
    for (size_t i = 0; i < n; i++) {
        slower |= points[i].speedup < 0;
        faster |= points[i].speedup > 0;
    }
    return slower && faster;
}

static size_t form_beliefs(struct workspace *space, const struct smooth_point *points)
{
    size_t count = 0;
    for (size_t b = 0; b < BENDS; b++)
        form_belief(space, points, &anything, bends[b], 1, &space->beliefs[count++]);
    for (size_t o = 0; o + 1 < ORIGINS && space->share > 0; o++)
        for (size_t b = 0; b < BENDS; b++)
            form_belief(space, points, &of_share[o], bends[b], space->share, &space->beliefs[count++]);
    return count;
}

int smooth(struct smooth_point *points, size_t n, double correlation, double share)
{
    struct workspace space = {.correlation = correlation,
                              .has_sides = has_both_sides(points, n),
                              .share = isfinite(share) ? fmin(share, 1) : 0};
    double weights[BELIEFS];
    size_t count = 0;
    if (n == 0)
        return 0;
    if (reserve_workspace(&space, n) < 0)
        return -ENOMEM;
    for (int round = 0; round < ITERATIONS; round++) {
        for (size_t i = 0; i < n; i++) {
            double effect = round == 0 ? points[i].effect : mean_of(space.beliefs, weights, count, i);
            double error = left_of(effect) * points[i].error;
            space.error[i] = isfinite(error) ? error : UNKNOWN;
        }
        count = form_beliefs(&space, points);
        weigh(space.beliefs, count, weights);
    }
    for (size_t i = 0; i < n; i++)
        points[i].effect = mean_of(space.beliefs, weights, count, i);
    weigh(space.beliefs, BENDS, weights);
    for (size_t i = 0; i < n; i++)
        points[i].error =
            sqrt(fmax(variance_of(space.beliefs, weights, BENDS, i), 0)) / left_of(points[i].effect);
    free(space.prior);
    return 0;
}
