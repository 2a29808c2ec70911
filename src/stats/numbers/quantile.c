#include "stats/numbers/quantile.h"

#include <math.h>
#include <stdlib.h> /* qsort */

double quantile_normal(double p)
{
    /* P. J. Acklam's rational approximation (relative error below 1.2e-9). */
    static const double a[] = {-3.969683028665376e+01, 2.209460984245205e+02,  -2.759285104469687e+02,
                               1.383577518672690e+02,  -3.066479806614716e+01, 2.506628277459239e+00};
    static const double b[] = {-5.447609879822406e+01, 1.615858368580409e+02,  -1.556989798598866e+02,
                               6.680131188771972e+01,  -1.328068155288572e+01, 1};
    static const double c[] = {-7.784894002430293e-03, -3.223964580411365e-01, -2.400758277161838e+00,
                               -2.549732539343734e+00, 4.374664141464968e+00,  2.938163982698783e+00};
    static const double d[] = {7.784695709041462e-03, 3.224671290700398e-01, 2.445134137142996e+00,
                               3.754408661907416e+00, 1};
    if (p > 0.5)
        return -quantile_normal(1 - p);
    if (p < 0.02425) {
        double q = sqrt(-2 * log(p));
        return (((((c[0] * q + c[1]) * q + c[2]) * q + c[3]) * q + c[4]) * q + c[5]) /
               ((((d[0] * q + d[1]) * q + d[2]) * q + d[3]) * q + d[4]);
    }
    double q = p - 0.5, r = q * q;
    return (((((a[0] * r + a[1]) * r + a[2]) * r + a[3]) * r + a[4]) * r + a[5]) * q /
           (((((b[0] * r + b[1]) * r + b[2]) * r + b[3]) * r + b[4]) * r + b[5]);
}

double quantile_student(double p, double df)
{
    if (df <= 1)
        return tan(M_PI * (p - 0.5));
    if (df <= 2)
        return (2 * p - 1) * sqrt(2 / (4 * p * (1 - p)));
    /* Abramowitz and Stegun 26.7.5: within 1 % from 3 degrees of freedom on, at 95 %. */
    double z = quantile_normal(p), z2 = z * z;
    double g1 = z * (z2 + 1) / 4;
    double g2 = z * ((5 * z2 + 16) * z2 + 3) / 96;
    double g3 = z * (((3 * z2 + 19) * z2 + 17) * z2 - 15) / 384;
    double g4 = z * ((((79 * z2 + 776) * z2 + 1482) * z2 - 1920) * z2 - 945) / 92160;
    return z + (g1 + (g2 + (g3 + g4 / df) / df) / df) / df;
}

double quantile_sorted(const double *sorted, size_t n, double p)
{
    if (n == 0)
        return NAN;
    double place = p * (double)(n - 1);
    size_t below = (size_t)place;
    if (below + 1 >= n)
        return sorted[n - 1];
    return sorted[below] + (place - (double)below) * (sorted[below + 1] - sorted[below]);
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void sort_doubles(double *values, size_t n)
{
    qsort(values, n, sizeof *values, compare_doubles);
}
