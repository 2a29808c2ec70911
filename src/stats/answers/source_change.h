/* Whether a source is still what was profiled. Pure; any thread. */
#pragma once

#include "stats/answers/story.h"

#include <stdbool.h>
#include <stdint.h>

enum source_change {
    SOURCE_SAME,
    SOURCE_CHANGED_SINCE_BUILD, /* by the hash that the compiler left in the debug information */
    SOURCE_CHANGED_SINCE_RUN,   /* by the hash that the profiler took when the run ended */
    SOURCE_NO_HASH,             /* the profile has none of the file, or there is no story */
};

/* text: what the file of that path holds now. */
enum source_change source_change_by_hash(const struct story *story, const char *path, const char *text);

/* Whether it is another file now: by its hash, or, where the profile has none, because it was modified after
 * the first run that says when it began. */
bool source_is_changed(const struct story *story, const char *path, const char *text, uint64_t modified_ns);
