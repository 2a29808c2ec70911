/* Which bytes the sources had when they were compiled, where the debug information tells, and when the run ended:
 * for the end of its profile, so that a report can tell whether a file that it shows is still the one that was
 * profiled. Of those with most samples, within bounds of number and size, so that a run of a large program does
 * not end with a wait. */
#pragma once

#include "base/md5.h"
#include "debuginfo/names/scope.h"
#include "experiment/schedule/windows.h"

/* Begins as zeroes, but for where records go. */
struct source_hashes {
    window_sink sink;
    void *context; /* the sink's */
    struct source_samples {
        char *path;
        uint64_t samples;
        char md5[MD5_HEX]; /* "": unknown */
    } * files;
    size_t count, capacity, last; /* last: that was added to */
};

/* A sink that passes records on, and notes the files that those of samples name. */
int source_hashes_note(void *context, const struct profile_record *record);

/* What the debug information of the modules in which there are targets tells of these files. */
void source_hashes_ask_modules(struct source_hashes *hashes, const struct segment *segment,
                               const struct scope *scope);

/* Hands a record to the sink for each of these files of which something is known. A file that was changed since
 * then, by the wall clock, may not be what the run had. 0, or what the sink returned. */
int source_hashes_write(struct source_hashes *hashes, uint64_t started_ns);

void source_hashes_release(struct source_hashes *hashes);
