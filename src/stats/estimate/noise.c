#include "stats/estimate/noise.h"

#include "stats/numbers/quantile.h"
#include "stats/numbers/winsor.h"

#include <math.h>
#include <stdlib.h>

enum { CONTROLS_NEEDED = 12 };

static double tamed(double difference)
{
    static const double wild = 0.5;
    return fmax(-wild, fmin(wild, difference));
}

/* By least squares. What interrupts a program otherwise is no reason to believe in a slope, so wild differences count
 * as large ones; and the slope must stand out of its own error. */
static double slope_of(const struct control *control)
{
    static const double sure = 3;
    double product = 0, square = 0, left = 0;
    size_t n = control->count;
    for (size_t i = 0; i < n; i++) {
        double stolen = control->values[i].stolen;
        product += stolen * tamed(control->values[i].difference);
        square += stolen * stolen;
    }
    if (n < CONTROLS_NEEDED || square <= 0)
        return 0;
    double slope = product / square;
    for (size_t i = 0; i < n; i++) {
        double off = tamed(control->values[i].difference) - slope * control->values[i].stolen;
        left += off * off;
    }
    return slope > sure * sqrt(left / (double)n / square) ? slope : 0;
}

/* Of both[], the values with both signs: drift has a direction, noise has not. */
static struct noise noise_of(const struct control *control, double per_stolen, double *both)
{
    size_t n = control->count;
    for (size_t i = 0; i < n; i++) {
        both[2 * i] = control_left(control, i, per_stolen);
        both[2 * i + 1] = -both[2 * i];
    }
    sort_doubles(both, 2 * n);
    /* Half the distance between the quantiles that are one sigma away in a normal distribution. */
    struct noise noise = {.sigma = quantile_sorted(both, 2 * n, 0.8413)};
    for (size_t i = 0; i < 2 * n; i++)
        both[i] = exp(both[i]);
    noise.inflation = log(winsorised_mean(both, NULL, 2 * n));
    return noise;
}

/* Mean distance from 0: unlike sigma, it knows of wild windows, which a block's mean hands on to all. */
static double distance_of(const struct control *control)
{
    double sum = 0, per_stolen = slope_of(control);
    for (size_t i = 0; i < control->count; i++)
        sum += fabs(control_left(control, i, per_stolen));
    return sum / (double)control->count;
}

enum beside beside_with_less_noise(const struct control controls[BESIDE_KINDS])
{
    const struct control *near = &controls[BESIDE_NEIGHBOURS], *block = &controls[BESIDE_BLOCK];
    bool can_tell = near->count >= CONTROLS_NEEDED && block->count >= CONTROLS_NEEDED;
    return can_tell && distance_of(block) < distance_of(near) ? BESIDE_BLOCK : BESIDE_NEIGHBOURS;
}

struct noise noise_of_controls(const struct control controls[BESIDE_KINDS])
{
    struct noise noise = {.sigma = NAN};
    enum beside beside = beside_with_less_noise(controls);
    double per_stolen = slope_of(&controls[beside]);
    size_t n = controls[beside].count;
    double *both = n >= CONTROLS_NEEDED ? malloc(2 * n * sizeof *both) : NULL;
    if (both)
        noise = noise_of(&controls[beside], per_stolen, both);
    noise.beside = beside;
    noise.per_stolen = per_stolen;
    free(both);
    return noise;
}
