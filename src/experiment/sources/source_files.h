/* The source files that a run sampled, for the end of its profile: each is read once, as it is then, and tells
 * nothing if it was changed after the run began, by the wall clock. Bounded, so that a run of a large program does not
 * end with a wait. */
#pragma once

#include "base/md5.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct source_file {
    char *path;
    uint64_t samples;
    char md5[MD5_HEX]; /* as the debug information tells it; "": unknown */
    bool is_read;
    char *text; /* once it is read; NULL: it tells nothing */
    size_t size;
    char **lines; /* where each begins, and one more: its end */
    size_t line_count;
};

/* Starts zeroed, but for started_ns: when the run began, on the wall clock. */
struct source_files {
    uint64_t started_ns;
    struct source_file *all;
    size_t count, capacity, last; /* last: that was asked for */
    size_t read_count, bytes;     /* read so far */
};

/* The file of that path, which may be new. NULL: it is not called like a source, or there is no room for it. Good until
 * the next call. */
struct source_file *source_files_find(struct source_files *files, const char *path, size_t length);

/* Reads it, if that was not tried yet. False: it tells nothing. */
bool source_files_read(struct source_files *files, struct source_file *file);

void source_files_release(struct source_files *files);
