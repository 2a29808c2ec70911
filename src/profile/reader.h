/* Reads a profile in either format (JSON lines, or the older tab-separated form; told apart line by line).
 *
 * The reader streams: its memory does not grow with the file. What it cannot use it names (file, line,
 * column, why) through `problem` and goes on; lines of unknown type and unknown members are skipped silently.
 * A torn last line (no newline) that does not parse is one problem and no failure. Points whose experiment
 * could not be read are problems too, and are not handed on. */
#pragma once

#include "base/error.h"
#include "profile/record.h"

#include <stdbool.h>
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

/* The same for what is in memory already; problems name it so. */
int profile_read_bytes(const char *name, const char *bytes, size_t size,
                       const struct profile_visitor *visitor, struct coz_error *err);

/* A profile that may still be written: only what was appended is read. */
struct profile_follower;

/* Opens it, and reads nothing yet. */
int profile_follow(struct profile_follower **out, const char *path, const struct profile_visitor *visitor,
                   struct coz_error *err);

/* Hands on the lines that have come since the last time; one without its end waits for that. 1, or 0 when
 * there was nothing new. A pipe is read to its end, and never again. -ESTALE: the file is shorter than it was, or another has its name now: what was read
 * of it does not hold any more, and whoever wants the new one follows it from its beginning. */
int profile_follow_on(struct profile_follower *follower, struct coz_error *err);

/* Nobody writes to it any more: takes what stands behind the last newline as profile_read() does. */
int profile_follow_end(struct profile_follower *follower, struct coz_error *err);

/* Whether a run is writing to it, as far as file locks tell. */
bool profile_is_written(const struct profile_follower *follower);

void profile_unfollow(struct profile_follower *follower);
