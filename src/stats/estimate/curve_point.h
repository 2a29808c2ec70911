/* One speedup of a curve of effects. */
#pragma once

#include <stddef.h>

enum { CURVE_MIN_UNITS = 3 }; /* with fewer blocks there is no answer */

struct curve_point {
    double speedup;
    double effect, low, high; /* 1 - ps/p0, phase-corrected */
    size_t windows;
};
