/* Random numbers (splitmix64). Every seed is a good one, and a copy of the state repeats the sequence. Any
 * thread, handlers too: the state is the caller's. */
#pragma once

#include <stddef.h>
#include <stdint.h>

static inline uint64_t random_next(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* Below the bound, which is not 0. */
static inline size_t random_below(uint64_t *state, size_t bound)
{
    return (size_t)((unsigned __int128)random_next(state) * bound >> 64);
}

/* In [0, 1). */
static inline double random_unit(uint64_t *state)
{
    return (double)(random_next(state) >> 11) * 0x1p-53;
}
