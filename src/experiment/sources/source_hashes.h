/* Which bytes the sources had when they were compiled, where the debug information tells, and when the run ended:
 * for the end of its profile, so that a report can tell whether a file that it shows is still the one that was
 * profiled. Of those with most samples. */
#pragma once

#include "debuginfo/names/scope.h"
#include "experiment/schedule/windows.h"
#include "experiment/sources/source_files.h"

struct source_hashes {
    struct source_files *files;
    window_sink sink; /* where records go */
    void *context;    /* the sink's */
};

/* A sink that passes records on, and notes the files that those of samples name. */
int source_hashes_note(void *context, const struct profile_record *record);

/* What the debug information of the modules in which there are targets tells of these files. */
void source_hashes_ask_modules(struct source_files *files, const struct segment *segment,
                               const struct scope *scope);

/* Hands a record to the sink for each of these files of which something is known, that with most samples first. 0, or
 * what the sink returned. */
int source_hashes_write(const struct source_hashes *hashes);
