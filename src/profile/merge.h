/* Several profiles in one, byte for byte: what a newer coz wrote, and this one does not know, is kept too. */
#pragma once

#include "base/error.h"
#include "profile/builds.h"

#include <stdbool.h>
#include <stddef.h>

struct merge_input {
    const char *path;
    int fd;             /* holds a lock, so that no run goes on writing */
    bool lacks_startup; /* its first run's beginning is lost: what is before it must not go on in it */
};

/* Starts zeroed. */
struct merge {
    struct merge_input *inputs;
    size_t count;
    struct builds builds; /* of all */
};

/* Reads them all. A negative errno: one is no regular file, is named twice, is being written, holds no record, or
 * a line that cannot be used; err names it. To be released in any case. */
int merge_check(struct merge *merge, char *const *paths, size_t count, struct coz_error *err);

/* Writes a file that must not be there yet; removes it again when that fails. 0 or a negative errno. */
int merge_write(const struct merge *merge, const char *output, struct coz_error *err);

void merge_release(struct merge *merge);
