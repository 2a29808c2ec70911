#include "stats/estimate/noise.h"

#include "stats/numbers/quantile.h"
#include "stats/numbers/winsor.h"

#include <math.h>
#include <stdlib.h>

enum { CONTROLS_NEEDED = 12 };

/* Of both[], the values with both signs: drift has a direction, noise has not. */
static struct noise noise_of(const struct control *control, double *both)
{
    size_t n = control->count;
    for (size_t i = 0; i < n; i++) {
        both[2 * i] = control->values[i];
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
    double sum = 0;
    for (size_t i = 0; i < control->count; i++)
        sum += fabs(control->values[i]);
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
    size_t n = controls[beside].count;
    double *both = n >= CONTROLS_NEEDED ? malloc(2 * n * sizeof *both) : NULL;
    if (both)
        noise = noise_of(&controls[beside], both);
    noise.beside = beside;
    free(both);
    return noise;
}
