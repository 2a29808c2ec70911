/* What the lines of a build cost in CPU time, and which line of one build is which of another. Internal to
 * src/verify/. */
#pragma once

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

/* The samples of one line, or function. */
struct cost {
    char *kind, *location; /* owned */
    char *function;        /* owned; NULL: unknown */
    double cpu_ns;
};

struct costs {
    struct cost *items;
    size_t count, capacity;
};

/* Adds those of a profile to what is there already. 0 or a negative errno. */
int costs_read(struct costs *costs, const char *profile, struct coz_error *err);
/* Adds those of another run. 0 or -ENOMEM. */
int costs_add_all(struct costs *costs, const struct costs *others);
void costs_release(struct costs *costs);

/* The target a person or a profile calls so, as of coz run --fixed-line and --fixed-function; NULL: it has no
 * samples. */
const struct cost *costs_find(const struct costs *costs, const char *wanted);

/* Where a line of the old build is in the new one: in the same function it is the line with the same text, if
 * both sources can be read and are not the same file; else the one of the same number; else the nearest number,
 * and that is a guess. NULL: no line of that function, or without one of that file, has samples. */
const struct cost *costs_match(const struct costs *after, const struct cost *before, bool *is_guess);

/* The sum over all entries of that location; 0: there is none. */
double costs_of(const struct costs *costs, const struct cost *target);
