/* Reads a profile in either format (JSON lines, or the older tab-separated form; told apart line by line).
 *
 * The reader streams: its memory does not grow with the file. What it cannot use it names (file, line,
 * column, why) through `problem` and goes on; lines of unknown type and unknown members are skipped silently.
 * A torn last line (no newline) that does not parse is one problem and no failure. Points whose experiment
 * could not be read are problems too, and are not handed on. */
#pragma once

#include "base/error.h"
#include "profile/record.h"

#include <stddef.h>

struct profile_problem {
    const char *path;
    size_t line, column; /* from 1; column 0 when it is about the whole line */
    const char *what;
};

struct profile_visitor {
    /* Returns 0 to go on, or a negative errno that profile_read() returns. */
    int (*record)(void *context, const struct profile_record *record);
    void (*problem)(void *context, const struct profile_problem *problem); /* may be NULL */
    void *context;
};

/* path "-" is standard input. Returns 0 when the file could be read to its end, however many lines were bad.
 */
int profile_read(const char *path, const struct profile_visitor *visitor, struct coz_error *err);
