/* Lines of one function (or of one file) in two builds, one beside the other. Internal to src/stats/compare/. */
#pragma once

#include "stats/compare/match_target.h"

#include <stdbool.h>
#include <stddef.h>

struct align_target {
    struct match_target *target;
    size_t index;     /* of the target on its side */
    const char *file; /* its last name, of so many bytes */
    size_t file_length;
    long line;
};

/* Both are of one group, and sorted by line. 0 or -ENOMEM. */
int align(struct align_target *before, size_t n, struct align_target *after, size_t m);
