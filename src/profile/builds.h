/* Which builds of which programs the runs in profiles are of. What is true of one build need not be of
 * another: their lines may lie elsewhere, and cost something else. */
#pragma once

#include "profile/record.h"

#include <stddef.h>

struct build {
    char *program, *build_id, *profile; /* owned: of its first run */
    uint64_t last_ns;                   /* when its last run began, on the wall clock, since 1970 */
    unsigned runs;
};

/* Starts zeroed. */
struct builds {
    struct build *items; /* in the order of their first runs */
    size_t count, capacity;
};

/* Takes note of a run's startup record; other records, and those that do not tell the build (written by an
 * older coz, or the original), change nothing. 0 or -ENOMEM. */
int builds_add(struct builds *builds, const char *profile, const struct profile_record *record);

/* The same for all runs of a profile. Nothing of one that is missing, not a regular file or larger than
 * `most` bytes. 0 or -ENOMEM. */
int builds_read(struct builds *builds, const char *profile, size_t most);

/* The build in words, "/bin/app (build 1a2b3c4d5e6f, 3 runs, the last on 2026-01-31 at 12:00:00)". In local
 * time. */
void builds_describe(const struct build *build, char *text, size_t size);

void builds_release(struct builds *builds);
