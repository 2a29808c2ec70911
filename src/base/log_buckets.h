/* Buckets of a logarithmic histogram: each is at most a thirty-second (3 %) wide, and whole numbers below 32 have
 * one each. Any thread, handlers too. */
#pragma once

#include <stdint.h>

/* Up to 2^41, which is half an hour in nanoseconds; all that is more is in the last one. */
enum { LOG_BUCKETS = 37 * 32 };

static inline uint32_t log_bucket(uint64_t value)
{
    if (value < 32)
        return (uint32_t)value;
    uint32_t octave = 63 - (uint32_t)__builtin_clzll(value);
    uint32_t bucket = (octave - 4) * 32 + (uint32_t)(value >> (octave - 5) & 31);
    return bucket < LOG_BUCKETS ? bucket : LOG_BUCKETS - 1;
}

/* The smallest number in it; of LOG_BUCKETS, where the last one ends. */
static inline uint64_t log_bucket_start(uint32_t bucket)
{
    return bucket < 32 ? bucket : (uint64_t)(32 + bucket % 32) << (bucket / 32 - 1);
}
