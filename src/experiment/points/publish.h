/* Making progress points of what was asked for, before the program runs. */
#pragma once

#include "experiment/points/spec.h"
#include "shared/create.h"

#include <stddef.h>

/* Puts the points into the segment, where the runtime finds them. program: the path of the file that is to
 * run. -EINVAL: one cannot be, and err says which, and why. */
int points_publish(struct segment_owner *owner, const char *program, const struct point_spec *specs,
                   size_t count, struct coz_error *err);

/* The calls are points from here on, whoever makes them: also while the program runs. 0 or -ENOSPC. */
int points_add_call(struct segment *segment, unsigned call, const char *name, struct coz_error *err);
