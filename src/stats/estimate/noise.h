/* How much windows differ when nothing is sped up. Internal to src/stats/. */
#pragma once

#include "stats/input/cell.h"

/* What the control says about one progress point. */
struct noise {
    enum beside beside; /* the way of comparing that has less of it */
    double sigma; /* of the log-ratio of one window to its baseline; NAN when there are too few controls */
    double inflation; /* by how much noise alone raises log E[exp(log-ratio)] */
    /* By how much a log time per visit grows with the part of the time that the machine steals; 0: it does not, as far as
     * controls tell. Both figures above are of what is left. */
    double per_stolen;
};

/* What answers of that point rest on; the neighbours while there are too few controls to tell. */
enum beside beside_with_less_noise(const struct control controls[BESIDE_KINDS]);
struct noise noise_of_controls(const struct control controls[BESIDE_KINDS]);

/* How much longer a sped-up window's visits took than those of its baseline, as a logarithm, but for what was stolen. */
static inline double noise_log_ratio(const struct noise *noise, const struct paired_window *window)
{
    const struct baseline *baseline = &window->baselines[noise->beside];
    double stolen = (double)window->stolen - (double)baseline->stolen;
    return (double)window->log_time - (double)baseline->log_time - noise->per_stolen * stolen;
}

/* A control's difference, likewise. */
static inline double control_left(const struct control *control, size_t i, double per_stolen)
{
    return control->values[i].difference - per_stolen * control->values[i].stolen;
}
