#include "stats/numbers/spread.h"

#include "stats/numbers/quantile.h"

#include <math.h>
#include <stdbool.h>

enum { PRIOR_BLOCKS = 4 };

void spread_add(struct spread *spread, double value)
{
    spread->values[spread->rounds++] = value;
}

struct spread_error spread_error(const struct spread *spread, double expected)
{
    double finite[BOOTSTRAP_ROUNDS], freedom = 0, variance = 0;
    size_t rounds = 0;
    for (size_t i = 0; i < spread->rounds; i++)
        if (isfinite(spread->values[i]))
            finite[rounds++] = spread->values[i];
    if (spread->n >= 2 && rounds > BOOTSTRAP_ROUNDS / 2) {
        freedom = (double)(spread->n - 1);
        double error = bootstrap_error(finite, rounds);
        variance = error * error * (double)spread->n / freedom;
    }
    if (!isnan(expected)) {
        variance = (freedom * variance + PRIOR_BLOCKS * expected * expected) / (freedom + PRIOR_BLOCKS);
        freedom += PRIOR_BLOCKS;
    }
    return (struct spread_error){sqrt(variance), freedom};
}

double spread_half_width(const struct spread *spread, double expected)
{
    struct spread_error known = spread_error(spread, expected);
    return known.freedom > 0 ? quantile_student(0.5 + LEVEL / 2, known.freedom) * known.error : INFINITY;
}

static bool is_whole(const struct spread *const *spreads, size_t count, size_t round)
{
    for (size_t g = 0; g < count; g++)
        if (!isfinite(spreads[g]->values[round]))
            return false;
    return true;
}

/* Over the rounds in which all of them say something. */
static void find_centre(const struct spread *const *spreads, size_t count, size_t g, double *mean,
                        double *deviation)
{
    double sum = 0, square = 0, n = 0;
    for (size_t i = 0; i < spreads[g]->rounds; i++) {
        if (!is_whole(spreads, count, i))
            continue;
        double value = spreads[g]->values[i];
        n++;
        sum += value;
        square += value * value;
    }
    *mean = sum / n;
    *deviation = sqrt(fmax(square / n - *mean * *mean, 0));
}

/* The variance of the sum of c standardised values is c + c (c - 1) r. */
double spread_correlation(const struct spread *const *spreads, size_t count)
{
    double sums[BOOTSTRAP_ROUNDS] = {0}, square = 0, rounds = 0, c = (double)count;
    if (count < 2)
        return 0;
    for (size_t g = 0; g < count; g++) {
        double mean, deviation;
        find_centre(spreads, count, g, &mean, &deviation);
        for (size_t i = 0; i < spreads[g]->rounds && deviation > 0; i++)
            sums[i] += (spreads[g]->values[i] - mean) / deviation;
    }
    for (size_t i = 0; i < spreads[0]->rounds; i++) {
        if (!is_whole(spreads, count, i))
            continue;
        rounds++;
        square += sums[i] * sums[i];
    }
    double r = rounds > 0 ? (square / rounds - c) / (c * (c - 1)) : 0;
    return fmin(fmax(r, 0), 1);
}
