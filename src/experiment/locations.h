/* Where the samples of a run fell, for the end of its profile. */
#pragma once

#include "debuginfo/scope.h"
#include "experiment/target_names.h"
#include "experiment/windows.h"
#include "segment/create.h"

/* Hands a record to the sink for each target that has samples, with its function and file. 0, or what the
 * sink returned. */
int locations_write(const struct target_names *names, const struct segment_owner *owner,
                    const struct scope *scope, window_sink sink, void *context);
