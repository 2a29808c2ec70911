/* Where `coz report` writes. */
#pragma once

#include "base/error.h"

#include <stdbool.h>
#include <stdio.h>

struct output {
    const char *path; /* NULL: standard output */
    char **profiles;  /* which are read, and must not be written */
    int profile_count;
    bool is_page; /* which a terminal must not get, and of which standard error is told where it is */
};

/* The file, empty, or standard output. NULL: err says why. */
FILE *output_open(const struct output *output, struct coz_error *err);

/* After the last byte; `code` is how writing went. A file that could not be written whole is removed. 0 or a
 * negative errno; err keeps what went wrong first. */
int output_close(FILE *out, const struct output *output, int code, struct coz_error *err);
