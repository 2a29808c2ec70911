#include "stats/numbers/tests.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

enum { FRACTIONS_MOST = 500 };

/* The continued fraction of the incomplete beta function (Abramowitz and Stegun 26.5.8), from front to back, by
 * Lentz's algorithm. It is quick for x < (a + 1) / (a + b + 2). */
static double beta_fraction(double a, double b, double x)
{
    static const double tiny = 1e-300;
    double c = 1, d = 1 - (a + b) * x / (a + 1);
    d = 1 / (fabs(d) < tiny ? tiny : d);
    double fraction = d;
    for (int m = 1; m < FRACTIONS_MOST; m++) {
        double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        double step = 1;
        for (int part = 0; part < 2; part++) {
            double term = part ? odd : even;
            d = 1 + term * d;
            c = 1 + term / c;
            d = 1 / (fabs(d) < tiny ? tiny : d);
            c = fabs(c) < tiny ? tiny : c;
            step = d * c;
            fraction *= step;
        }
        if (fabs(step - 1) < 1e-14)
            break;
    }
    return fraction;
}

static double incomplete_beta(double a, double b, double x)
{
    if (x <= 0 || x >= 1)
        return x <= 0 ? 0 : 1;
    double front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
    if (x < (a + 1) / (a + b + 2))
        return front * beta_fraction(a, b, x) / a;
    return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

double tail_student(double t, double df)
{
    /* Beyond, the two differ by less than either is known. */
    static const double as_good_as_normal = 1e6;
    if (isnan(t) || !(df > 0))
        return NAN;
    if (df > as_good_as_normal)
        return erfc(fabs(t) / sqrt(2));
    return incomplete_beta(df / 2, 0.5, df / (df + t * t));
}

double freedom_of_sum(const double *errors, const double *freedoms, size_t n)
{
    double variance = 0, below = 0;
    for (size_t i = 0; i < n; i++) {
        double part = errors[i] * errors[i];
        variance += part;
        if (part > 0)
            below += part * part / freedoms[i];
    }
    return below > 0 ? variance * variance / below : INFINITY;
}

static int compare_chances(const void *a, const void *b)
{
    double x = **(double *const *)a, y = **(double *const *)b;
    return (x > y) - (x < y);
}

int adjust_for_many(double *chances, size_t n)
{
    double **sorted = malloc((n + 1) * sizeof *sorted), least = 0;
    size_t tests = 0;
    if (!sorted)
        return -ENOMEM;
    for (size_t i = 0; i < n; i++)
        if (!isnan(chances[i]))
            sorted[tests++] = &chances[i];
    if (tests > 0)
        qsort(sorted, tests, sizeof *sorted, compare_chances);
    for (size_t i = 0; i < tests; i++) {
        least = fmax(least, fmin(1, *sorted[i] * (double)(tests - i)));
        *sorted[i] = least;
    }
    free(sorted);
    return 0;
}
