/* Reading little-endian numbers out of a section that may be broken. Past its end every read gives 0 and sets
 * `bad`, which is looked at now and then. Private to debuginfo/. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct cursor {
    const uint8_t *at;
    const uint8_t *end;
    bool bad;
};

static inline size_t cursor_left(const struct cursor *cursor)
{
    return (size_t)(cursor->end - cursor->at);
}

/* size is 1 to 8. */
static inline uint64_t cursor_number(struct cursor *cursor, size_t size)
{
    uint64_t number = 0;
    if (cursor_left(cursor) < size) {
        cursor->bad = true;
        cursor->at = cursor->end;
        return 0;
    }
    memcpy(&number, cursor->at, size);
    cursor->at += size;
    return number;
}

static inline void cursor_skip(struct cursor *cursor, uint64_t size)
{
    if (cursor_left(cursor) < size) {
        cursor->bad = true;
        cursor->at = cursor->end;
        return;
    }
    cursor->at += size;
}

/* A LEB128 number of either kind. *sign_shift is where its sign would be extended from, 64 or more when it
 * fills the word or is not negative. */
static inline uint64_t cursor_leb(struct cursor *cursor, unsigned *sign_shift)
{
    uint64_t number = 0;
    unsigned shift = 0;
    while (cursor->at < cursor->end) {
        uint8_t byte = *cursor->at++;
        if (shift < 64)
            number |= (uint64_t)(byte & 0x7f) << shift;
        shift += 7;
        if (byte & 0x80)
            continue;
        *sign_shift = byte & 0x40 ? shift : 64;
        return number;
    }
    cursor->bad = true;
    *sign_shift = 64;
    return 0;
}

static inline uint64_t cursor_uleb(struct cursor *cursor)
{
    unsigned sign_shift;
    return cursor_leb(cursor, &sign_shift);
}

static inline int64_t cursor_sleb(struct cursor *cursor)
{
    unsigned sign_shift;
    uint64_t number = cursor_leb(cursor, &sign_shift);
    return (int64_t)(sign_shift < 64 ? number | UINT64_MAX << sign_shift : number);
}

/* A string that ends in the section; "" else. */
static inline const char *cursor_string(struct cursor *cursor)
{
    const uint8_t *end = cursor_left(cursor) ? memchr(cursor->at, 0, cursor_left(cursor)) : NULL;
    const char *string = (const char *)cursor->at;
    if (!end) {
        cursor->bad = true;
        cursor->at = cursor->end;
        return "";
    }
    cursor->at = end + 1;
    return string;
}
