/* Options are priced in rounds by two threads, which meet at a barrier after each; then one of them makes the next
 * portfolio. A unit is a round.
 *
 * The change: what the formula has twice (a logarithm, an exponential function) is computed once. */
#include "shape.h"

#include <math.h>

enum { OPTIONS = 8192, THREADS = 2, CHANGES = 40000 };

struct option {
    double spot, strike, rate, volatility, time, price;
};

static struct option options[OPTIONS];
static pthread_barrier_t barrier;

static double normal(double x) STEP;
static double moneyness(const struct option *option, double sign) STEP;
static double price_option(const struct option *option) STEP;
static void make_portfolio(uint64_t *random) STEP;

/* The cumulative normal distribution, by a polynomial (Abramowitz and Stegun 26.2.17). */
static double normal(double x)
{
    double t = 1 / (1 + 0.2316419 * fabs(x));
    double sum =
        t * (0.319381530 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
    double below = 1 - 0.3989422804 * exp(-x * x / 2) * sum;
    return x < 0 ? 1 - below : below;
}

/* d1 of the formula, or d2 where the sign is -1. */
static double moneyness(const struct option *option, double sign)
{
    const double v = option->volatility, t = option->time;
    return (log(option->spot / option->strike) + (option->rate + sign * v * v / 2) * t) / (v * sqrt(t));
}

/* As the formula is written in books. */
static double price_option(const struct option *option)
{
    const double s = option->spot, k = option->strike, r = option->rate, t = option->time;
#ifdef CHANGED
    double d1 = moneyness(option, 1), d2 = d1 - option->volatility * sqrt(t), discounted = k * exp(-r * t);
    double call = s * normal(d1) - discounted * normal(d2);
    return call - s + discounted;
#else
    double call = s * normal(moneyness(option, 1)) - k * exp(-r * t) * normal(moneyness(option, -1));
    return call - s + k * exp(-r * t);
#endif
}

static void make_portfolio(uint64_t *random)
{
    for (int i = 0; i < CHANGES; i++) {
        struct option *option = &options[random_next(random) % OPTIONS];
        *option =
            (struct option){50 + 50 * random_unit(random), 75,           0.02, 0.1 + random_unit(random) / 2,
                            0.1 + random_unit(random),     option->price};
    }
}

static void *price_portfolios(void *number)
{
    uint64_t random = 1;
    int first = (int)(intptr_t)number * (OPTIONS / THREADS);
    for (;;) {
        if (number == NULL)
            make_portfolio(&random);
        pthread_barrier_wait(&barrier);
        for (int i = first; i < first + OPTIONS / THREADS; i++)
            for (int times = 0; times < 4; times++)
                options[i].price = price_option(&options[i]);
        if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
            UNIT("round");
    }
}

int main(int argc, char **argv)
{
    uint64_t random = 2;
    make_portfolio(&random);
    pthread_barrier_init(&barrier, NULL, THREADS);
    return run_threads(price_portfolios, THREADS, argc, argv);
}
