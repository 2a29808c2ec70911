/* Which file of code this is: its build-id, read without libelf, because a start from the cache does nothing
 * else with the file. Private to debuginfo/. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct identity {
    unsigned char build_id[20]; /* longer ones are cut */
    size_t size;                /* bytes in use; 0: the file has none */
    uint64_t layout;            /* hash of where its segments lie: build-ids can be given by hand */
};

/* Safe in any thread. False when the file cannot be read, or has no build-id. */
bool identity_read(struct identity *identity, const char *path);
