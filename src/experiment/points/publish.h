/* Making progress points of what was asked for, before the program runs. */
#pragma once

#include "experiment/points/spec.h"

#include <stddef.h>

/* Puts the points into the segment, where the runtime finds them. -EINVAL: one cannot be, and err says why and
 * which. */
int points_publish(struct segment *segment, const struct point_spec *specs, size_t count,
                   struct coz_error *err);
