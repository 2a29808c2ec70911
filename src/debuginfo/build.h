/* Which build of a program this is. */
#pragma once

#include "base/error.h"

/* Room for any of them, with the zero byte. */
enum { BUILD_TEXT = 48 };

/* Writes the file's build-id in hexadecimal; where it has none (a script, or linked without), "file-" and a
 * hash of all its bytes. 0, or a negative errno: the file cannot be read. Any thread. */
int build_identify(const char *path, char text[BUILD_TEXT], struct coz_error *err);
