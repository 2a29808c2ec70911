#include "regions/results/numbers.h"

#include <math.h>
#include <stdlib.h>

#define MAD_SCALE 1.4826      /* 1 / the upper quartile of the standard normal distribution */
#define MEDIAN_OF_MEAN 1.2533 /* sqrt(pi / 2) */

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double middle(const double *sorted, size_t count)
{
    return count % 2 ? sorted[count / 2] : (sorted[count / 2 - 1] + sorted[count / 2]) / 2;
}

/* The median of all distances from the median of sorted values: the farthest is always at one of the ends. */
static double deviation(const double *sorted, size_t count, double median)
{
    size_t low = 0, high = count - 1;
    double last = 0, before = 0;
    for (size_t taken = 0; taken <= count / 2; taken++) {
        double below = median - sorted[low], above = sorted[high] - median;
        before = last;
        last = below > above ? below : above;
        if (below > above)
            low++;
        else
            high--;
    }
    return count % 2 ? last : (last + before) / 2;
}

static double spread(const double *values, size_t count)
{
    double mean = 0, squares = 0;
    for (size_t i = 0; i < count; i++)
        mean += values[i] / (double)count;
    for (size_t i = 0; i < count; i++)
        squares += (values[i] - mean) * (values[i] - mean);
    return sqrt(squares / (double)(count - 1));
}

struct figure figure_median(double *values, size_t count)
{
    if (count == 0)
        return (struct figure){NAN, NAN, 0, 0};
    qsort(values, count, sizeof *values, compare);
    double median = middle(values, count), most = INFINITY;
    double mad = deviation(values, count, median);
    if (mad > 0)
        most = OUTLIER_MADS * MAD_SCALE * mad;
    size_t first = 0, end = count;
    while (median - values[first] > most)
        first++;
    while (values[end - 1] - median > most)
        end--;
    size_t kept = end - first;
    double error = kept > 1 ? MEDIAN_OF_MEAN * spread(values + first, kept) / sqrt((double)kept) : NAN;
    return (struct figure){middle(values + first, kept), error, kept, count};
}

struct figure figure_change(struct figure a, struct figure b)
{
    double ratio = a.value / b.value, x = a.error / a.value, y = b.error / b.value;
    return (struct figure){100 * (ratio - 1), 100 * fabs(ratio) * sqrt(x * x + y * y), a.kept, a.of};
}
