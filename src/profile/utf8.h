/* File names may hold any byte; JSON and terminals may not. */
#pragma once

#include <stddef.h>

/* How many of the bytes at text (which ends in a zero byte) are one valid UTF-8 character; 0 when they are
 * none. */
size_t utf8_length(const char *text);

#define UTF8_REPLACEMENT "\xef\xbf\xbd" /* U+FFFD */
