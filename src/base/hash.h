/* Hashes. No defence against intent. Any thread, handlers too. */
#pragma once

#include <stdint.h>

/* The finalizer of MurmurHash3: each bit of the result hangs on all bits of x, and no two x have the same.
 */
static inline uint64_t hash_mix(uint64_t x)
{
    x = (x ^ x >> 33) * 0xff51afd7ed558ccdu;
    x = (x ^ x >> 33) * 0xc4ceb9fe1a85ec53u;
    return x ^ x >> 33;
}

/* FNV-1a, folded so that the low bits hang on all of the text. */
static inline uint64_t hash_text(const char *text)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
    return hash ^ hash >> 32;
}
