/* Why a winsorised mean.
 *
 * What is wanted of a line is the time saved over the whole run, which is a *mean* over its blocks: a line
 * that matters in a third of the blocks must get a third of the effect. Medians and the Hodges-Lehmann
 * estimator answer with the majority's effect instead (with 70 % of the blocks at 0 and 30 % at -d, the first
 * says 0, the second -d/2; the mean says -0.3 d). The plain mean, on the other hand, is at the mercy of every
 * interruption by the machine. Winsorising (replace the lowest and highest fifth by what stands at the cut)
 * keeps the mean of a mixture exact as long as every part of it is larger than a fifth, stands up to a fifth
 * of wild blocks on either side (its breakdown point), and costs little when nothing is wild: its variance on
 * normal noise is 1.06 times that of the mean, that of the median 1.57 times.
 *
 * Why the interval is not the bootstrap's percentiles: with five or ten blocks, which is what a short run
 * has, percentiles hold the truth in 80 to 90 % of cases instead of 95. The bootstrap gives the standard
 * error (and so takes care of shared baselines), corrected by n/(n-1) and multiplied with Student's quantile.
 */
#include "stats/estimate/estimate.h"

#include "base/random.h"
#include "stats/numbers/quantile.h"
#include "stats/numbers/winsor.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint32_t weight_of(const uint32_t *weights, size_t i)
{
    return weights ? weights[i] : 1;
}

/* Most of the time that a report on a long profile takes is spent here: so values of no weight, a third of a
 * bootstrap's, are added like others and cost no branch that nobody can predict. */
double winsorised_mean(const double *sorted, const uint32_t *weights, size_t n)
{
    uint64_t total = weights ? 0 : n;
    for (size_t i = 0; weights && i < n; i++)
        total += weights[i];
    if (total == 0)
        return NAN;
    uint64_t cut = (uint64_t)(WINSOR_SHARE * (double)total), end = total - cut, seen = 0, before = cut;
    size_t i = 0;
    for (; seen + weight_of(weights, i) <= cut; i++)
        seen += weight_of(weights, i);
    double sum = sorted[i] * (double)cut; /* all that came before */
    for (; (seen += weight_of(weights, i)) < end; before = seen, i++)
        sum += sorted[i] * (double)(int64_t)(seen - before);
    /* The part of this value's copies that is inside the cuts, and all that comes behind. */
    sum += sorted[i] * (double)(end - before);
    return (sum + sorted[i] * (double)cut) / (double)total;
}

double bootstrap_error(double *values, size_t n)
{
    sort_doubles(values, n);
    return (quantile_sorted(values, n, 0.9) - quantile_sorted(values, n, 0.1)) / (2 * quantile_normal(0.9));
}

struct estimate estimate_centre(const double *values, size_t n, double level, uint64_t seed)
{
    struct estimate result = {NAN, -INFINITY, INFINITY, n};
    if (n == 0)
        return result;
    double *sorted = malloc(n * sizeof *sorted);
    uint32_t *weights = malloc(n * sizeof *weights);
    if (!sorted || !weights) {
        free(sorted);
        free(weights);
        return result;
    }
    memcpy(sorted, values, n * sizeof *sorted);
    sort_doubles(sorted, n);
    result.value = winsorised_mean(sorted, NULL, n);
    if (n >= 2) {
        uint64_t random = seed;
        double centres[BOOTSTRAP_ROUNDS];
        for (int round = 0; round < BOOTSTRAP_ROUNDS; round++) {
            memset(weights, 0, n * sizeof *weights);
            for (size_t i = 0; i < n; i++)
                weights[random_below(&random, n)]++;
            centres[round] = winsorised_mean(sorted, weights, n);
        }
        double error = bootstrap_error(centres, BOOTSTRAP_ROUNDS) * sqrt((double)n / (double)(n - 1));
        double half = quantile_student(0.5 + level / 2, (double)(n - 1)) * error;
        result.low = result.value - half;
        result.high = result.value + half;
    }
    free(sorted);
    free(weights);
    return result;
}

double effect_of_log_ratio(double log_ratio)
{
    return -expm1(log_ratio);
}

double log_ratio_of_effect(double effect)
{
    return log1p(-fmin(effect, 0.999));
}
