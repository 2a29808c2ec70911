/* A target is tried when it runs; if it runs in one phase only, its windows show that phase and say too much
 * about the run. Comparing how densely it was sampled in its windows and in the run says how much too much.
 *
 * Both densities are counts, so their quotient is never exactly 1: with n and m samples its logarithm has the
 * standard error sqrt(1/n + 1/m) even without any phases. Multiplying every answer with that noise would make
 * them worse, so a quotient within two standard errors (and 5 %, since sampling itself differs a little in
 * and out of windows) counts as 1. */
#include "stats/input/phase.h"

#include <math.h>

#define ERRORS_TO_CLEAR 2.0
#define ALWAYS_WITHIN 0.05

double phase_factor(const struct exposure *observed, const struct exposure *whole, bool seen,
                    double *relative_error)
{
    *relative_error = 0;
    if (!(observed->time_ns > 0 && observed->samples > 0 && whole->time_ns > 0 && whole->samples > 0))
        return 1;
    /* Sampling may be denser in windows than elsewhere: CPU time is comparable where counts are not. */
    double ratio = observed->cpu_ns > 0 && whole->cpu_ns > 0 ? whole->cpu_ns / observed->cpu_ns
                                                             : whole->samples / observed->samples;
    double factor = observed->time_ns / whole->time_ns * ratio;
    double error = sqrt(1 / observed->samples + 1 / whole->samples);
    if (!seen && !(fabs(log(factor)) > ERRORS_TO_CLEAR * error + ALWAYS_WITHIN))
        return 1;
    *relative_error = error;
    return factor;
}
