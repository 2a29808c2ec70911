/* Keeping a directory of tables small. Private to debuginfo/. */
#pragma once

#include <stdint.h>

/* How the name of a file begins that is being written. */
#define CACHE_TEMPORARY "writing-"

/* Removes the files that were used longest ago until the rest, with all names but hidden ones, takes three
 * quarters of the limit, if they took more than that; and what a writer that died has left. */
void cache_keep_limit(const char *directory, uint64_t bytes);
