/* Tables on disk, so that a program that did not change starts at once: $XDG_CACHE_HOME/coz (else
 * ~/.cache/coz), a file for each table, named by the build-id of its module. A file that is not what it
 * should be (of another version, cut, changed) counts as missing, and is written anew. Nothing here can fail
 * in a way that matters: without a cache everything works, only later. Safe in any thread and process.
 * Private to debuginfo/. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h> /* struct iovec */

#include "debuginfo/elf/identity.h"

/* Raised whenever a table of the same file comes out differently. */
enum { CACHE_VERSION = 5 };

/* The files together; the least recently used ones go when it is exceeded. */
enum { CACHE_LIMIT_MB = 256 };

struct cache_key {
    struct identity identity;
    const char *kind; /* the end of the file's name: "lines", "unwind" */
    uint64_t scope;   /* whatever else the table depends on */
};

/* The table, in memory to be freed; NULL when there is none. */
void *cache_load(const struct cache_key *key, size_t *size);

/* Writes the parts, one after the other, as one table. Readers see all of it or nothing. */
void cache_store(const struct cache_key *key, const struct iovec *parts, size_t count);

/* Takes count things of that size off the payload, of which *left bytes are left from *at on; NULL when it
 * does not have them. */
void *cache_take(char **at, size_t *left, uint64_t count, size_t size);

/* Frees what a table is made of: the block that it came in from the cache, in which its arrays lie, or, when
 * it was made here and there is none, the arrays. */
void cache_free(void *block, void *const *arrays, size_t count);
