/* Messages of Amazon's event stream, as a server sends them: a prelude of 12 bytes, headers, a payload and a checksum. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { AMAZON_PRELUDE = 12 };

static inline void amazon_set_u32(unsigned char *at, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        at[i] = (unsigned char)(value >> (24 - 8 * i));
}

static inline uint32_t amazon_checksum(const unsigned char *bytes, size_t size)
{
    uint32_t sum = UINT32_MAX;
    for (size_t i = 0; i < size; i++)
        for (int bit = 0; bit < 8; bit++) {
            uint32_t differs = (sum ^ (uint32_t)(bytes[i] >> bit)) & 1;
            sum = sum >> 1 ^ (differs ? 0xedb88320 : 0);
        }
    return ~sum;
}

/* Returns its size. */
static inline size_t amazon_add_header(unsigned char *at, const char *name, const char *value)
{
    size_t length = strlen(name), size = strlen(value);
    at[0] = (unsigned char)length;
    memcpy(at + 1, name, length);
    at[1 + length] = 7; /* a text */
    at[2 + length] = (unsigned char)(size >> 8);
    at[3 + length] = (unsigned char)size;
    memcpy(at + 4 + length, value, size);
    return 4 + length + size;
}

/* After the headers, which take so much behind the prelude. Returns the message's size. */
static inline size_t amazon_end(unsigned char *message, size_t headers, const char *payload)
{
    size_t total = AMAZON_PRELUDE + headers + strlen(payload) + 4;
    memcpy(message + AMAZON_PRELUDE + headers, payload, strlen(payload));
    amazon_set_u32(message, (uint32_t)total);
    amazon_set_u32(message + 4, (uint32_t)headers);
    amazon_set_u32(message + 8, amazon_checksum(message, 8));
    amazon_set_u32(message + total - 4, amazon_checksum(message, total - 4));
    return total;
}
