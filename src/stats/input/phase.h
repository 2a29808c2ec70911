/* Phase correction (Curtsinger and Berger, Coz, SOSP 2015, equation 8). Internal to src/stats/. */
#pragma once

#include <stdbool.h>

/* How often a target was seen, in some stretch of time. */
struct exposure {
    double time_ns, samples;
    double cpu_ns; /* that the samples stand for; 0: unknown */
};

/* What an effect that was seen in `observed` is to be multiplied with to hold for the `whole` run:
 * (t_obs / s_obs) * (s / T). 1 when that cannot be told from 1, unless phases were seen otherwise (`seen`).
 * *relative_error gets its standard error, as a share of it (0 when not corrected). */
double phase_factor(const struct exposure *observed, const struct exposure *whole, bool seen,
                    double *relative_error);
