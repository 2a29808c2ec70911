/* One answer's curve, as large as the terminal allows. Internal to src/report/target/. */
#pragma once

#include "report/report.h"
#include "stats/answers/details.h"

/* From the smallest to the largest multiple of a step that is easy to count in. */
struct plot_scale {
    double low, high, step;
    int steps;
};

/* That holds 0 and both values, in 2 to 6 steps. */
struct plot_scale plot_scale_around(double low, double high);

/* The curve through 0 and its points, the band of its interval, single windows if there are any, both axes, and
 * below each point its numbers. options->width is from 60 to 200. *outside is how many of
 * the windows lie above or below. 0 or -ENOMEM. */
int put_plot(FILE *out, const struct analysis_result *result, const struct analysis_single *singles,
             size_t single_count, size_t *outside, const struct report_options *options);
