/* Hashes for what is written to disk: fast, the same on every run, no defence against intent. Private to
 * debuginfo/. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t checksum_word(uint64_t sum, uint64_t word)
{
    sum = (sum ^ word) * 0x9e3779b97f4a7c15u;
    return sum ^ sum >> 29;
}

/* Of bytes that come in parts; how they are cut makes no difference. Four lanes, because one multiplication
 * has to wait for the one before. */
struct checksum {
    uint64_t lanes[4];
    unsigned char rest[4 * sizeof(uint64_t)];
    uint64_t size;
};

static inline struct checksum checksum_begin(uint64_t sum)
{
    return (struct checksum){.lanes = {sum, sum + 1, sum + 2, sum + 3}};
}

static inline void checksum_block(struct checksum *sum, const unsigned char *bytes)
{
    uint64_t words[4];
    memcpy(words, bytes, sizeof words);
    for (int i = 0; i < 4; i++)
        sum->lanes[i] = checksum_word(sum->lanes[i], words[i]);
}

static inline void checksum_add(struct checksum *sum, const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    size_t filled = sum->size % sizeof sum->rest;
    sum->size += size;
    if (filled) {
        size_t part = sizeof sum->rest - filled < size ? sizeof sum->rest - filled : size;
        memcpy(sum->rest + filled, at, part);
        at += part;
        size -= part;
        if (filled + part < sizeof sum->rest)
            return;
        checksum_block(sum, sum->rest);
    }
    for (; size >= sizeof sum->rest; size -= sizeof sum->rest, at += sizeof sum->rest)
        checksum_block(sum, at);
    if (size)
        memcpy(sum->rest, at, size);
}

static inline uint64_t checksum_end(struct checksum *sum)
{
    size_t filled = sum->size % sizeof sum->rest;
    memset(sum->rest + filled, 0, sizeof sum->rest - filled);
    checksum_block(sum, sum->rest);
    uint64_t all = sum->size;
    for (int i = 0; i < 4; i++)
        all = checksum_word(all, sum->lanes[i]);
    return all;
}

static inline uint64_t checksum_bytes(uint64_t begin, const void *bytes, size_t size)
{
    struct checksum sum = checksum_begin(begin);
    checksum_add(&sum, bytes, size);
    return checksum_end(&sum);
}
