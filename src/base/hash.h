/* The finalizer of MurmurHash3: each bit of the result hangs on all bits of x, and no two x have the same.
 * Any thread, handlers too. */
#pragma once

#include <stdint.h>

static inline uint64_t hash_mix(uint64_t x)
{
    x = (x ^ x >> 33) * 0xff51afd7ed558ccdu;
    x = (x ^ x >> 33) * 0xc4ceb9fe1a85ec53u;
    return x ^ x >> 33;
}
