/* File names may hold any byte; JSON and terminals may not. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* How many of the bytes at text (which ends in a zero byte) are one valid UTF-8 character; 0 when they are
 * none. */
size_t utf8_length(const char *text);

/* The valid character of that length, if it steers a terminal, or turns or hides text; else 0. */
uint32_t utf8_steering(const char *text, size_t length);

#define UTF8_REPLACEMENT "\xef\xbf\xbd" /* U+FFFD */
