/* SHA-256 (FIPS 180-4), in base64, as a content security policy names a script. Any thread. */
#pragma once

#include <stddef.h>

enum { SHA256_BASE64 = 45 }; /* with the zero byte */

void sha256_base64(const void *bytes, size_t size, char text[SHA256_BASE64]);
