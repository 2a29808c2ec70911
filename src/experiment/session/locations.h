/* Where the samples of a run fell, for the end of its profile. */
#pragma once

#include "debuginfo/names/scope.h"
#include "experiment/schedule/disturbed.h"
#include "experiment/schedule/windows.h"
#include "experiment/sources/source_files.h"
#include "experiment/targets/target_names.h"
#include "shared/create.h"

/* Hands a record to the sink for each target that has samples, with its function, file and text, which is one of
 * the files. baseline_ns is how long the run was at no speedup, and disturbed what is left out of that. 0, or what the
 * sink returned. */
int locations_write(const struct target_names *names, const struct segment_owner *owner,
                    const struct scope *scope, const struct disturbed *disturbed, uint64_t baseline_ns,
                    struct source_files *files, window_sink sink, void *context);
