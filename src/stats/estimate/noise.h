/* How much windows differ when nothing is sped up. Internal to src/stats/. */
#pragma once

#include "stats/input/cell.h"

/* What the control says about one progress point. */
struct noise {
    enum beside beside; /* the way of comparing that has less of it */
    double sigma; /* of the log-ratio of one window to its baseline; NAN when there are too few controls */
    double inflation; /* by how much noise alone raises log E[exp(log-ratio)] */
};

/* What answers of that point rest on; the neighbours while there are too few controls to tell. */
enum beside beside_with_less_noise(const struct control controls[BESIDE_KINDS]);
struct noise noise_of_controls(const struct control controls[BESIDE_KINDS]);
