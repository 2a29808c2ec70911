/* Bytes as hexadecimal digits, two each, in lower case. */
#pragma once

#include <stddef.h>

static inline void hex_write(const unsigned char *bytes, size_t size, char text[])
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < size; i++) {
        text[2 * i] = digits[bytes[i] >> 4];
        text[2 * i + 1] = digits[bytes[i] & 15];
    }
    text[2 * size] = '\0';
}
