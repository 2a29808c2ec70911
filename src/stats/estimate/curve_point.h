/* One speedup of a curve of effects, and its kink at 0. */
#pragma once

#include <stddef.h>

enum {
    CURVE_MIN_UNITS = 3,      /* with fewer blocks there is no answer, */
    CURVE_MIN_KNOWN_UNITS = 2 /* or with these where the control tells how much windows differ (noise.h) */
};

struct curve_point {
    double speedup;
    double effect, low, high; /* 1 - ps/p0, phase-corrected */
    size_t windows;
};

/* See kink.h. Effects per unit of speedup; NAN: not both sides were tried. */
struct kink {
    double slower, faster;    /* the slope on either side */
    double change, low, high; /* the latter less the former, and its interval */
};
