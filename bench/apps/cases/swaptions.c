/* Swaptions are priced by simulating paths of interest rates: a matrix of a rate for each of many factors and moments.
 * Two threads, each with swaptions of its own; a unit is a swaption.
 *
 * The change: the two loops of sum_rates() are swapped, so that the matrix is read in the order in which it lies in
 * memory. */
#include "shape.h"

#include <math.h>

enum { FACTORS = 2048, MOMENTS = 512, TERMS = 100000 };

static void draw_rates(float *rates, uint64_t *random) STEP;
static double sum_rates(const float *rates) STEP;
static double discount(double rate) STEP;

static void draw_rates(float *rates, uint64_t *random)
{
    for (int i = 0; i < FACTORS * MOMENTS; i++)
        rates[i] = (float)random_next(random) * 1e-10f;
}

static double sum_rates(const float *rates)
{
    double sum = 0;
#ifdef CHANGED
    for (int factor = 0; factor < FACTORS; factor++)
        for (int moment = 0; moment < MOMENTS; moment++)
#else
    for (int moment = 0; moment < MOMENTS; moment++)
        for (int factor = 0; factor < FACTORS; factor++)
#endif
            sum += rates[factor * MOMENTS + moment];
    return sum / FACTORS;
}

static double discount(double rate)
{
    double value = 0;
    for (int term = 1; term <= TERMS; term++)
        value += 1 / ((1 + rate) * (1 + value / term));
    return value;
}

static void *price_swaptions(void *number)
{
    uint64_t random = (uint64_t)(intptr_t)number + 1;
    float *rates = malloc(sizeof *rates * FACTORS * MOMENTS);
    if (!rates)
        return NULL;
    for (;;) {
        draw_rates(rates, &random);
        rates[0] = (float)discount(sum_rates(rates)); /* the next one begins with it */
        UNIT("swaption");
    }
}

int main(int argc, char **argv)
{
    return run_threads(price_swaptions, 2, argc, argv);
}
