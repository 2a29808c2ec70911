#include "profile/utf8.h"

#include <stdbool.h>
#include <stdint.h>

size_t utf8_length(const char *bytes)
{
    const unsigned char *text = (const unsigned char *)bytes;
    static const struct {
        unsigned char mask, lead;
        uint32_t least;
    } forms[] = {{0x80, 0x00, 0}, {0xe0, 0xc0, 0x80}, {0xf0, 0xe0, 0x800}, {0xf8, 0xf0, 0x10000}};
    for (size_t extra = 0; extra < 4; extra++) {
        if ((text[0] & forms[extra].mask) != forms[extra].lead)
            continue;
        uint32_t code = text[0] & (unsigned char)~forms[extra].mask;
        for (size_t i = 1; i <= extra; i++) {
            if ((text[i] & 0xc0) != 0x80)
                return 0;
            code = code << 6 | (text[i] & 0x3fU);
        }
        bool surrogate = code >= 0xd800 && code <= 0xdfff;
        return code < forms[extra].least || code > 0x10ffff || surrogate ? 0 : extra + 1;
    }
    return 0;
}

uint32_t utf8_steering(const char *text, size_t length)
{
    unsigned char first = (unsigned char)text[0];
    if (length == 1)
        return first < 0x20 || first == 0x7f ? first : 0;
    uint32_t code = length == 2 ? first & 0x1f : first & 0x0f;
    for (size_t i = 1; i < length; i++)
        code = code << 6 | ((unsigned char)text[i] & 0x3f);
    bool steers = length == 2 ? code < 0xa0 || code == 0x61c
                              : (code >= 0x200b && code <= 0x200f) || (code >= 0x2028 && code <= 0x202e) ||
                                    (code >= 0x2066 && code <= 0x2069) || code == 0xfeff;
    return steers && length < 4 ? code : 0;
}
