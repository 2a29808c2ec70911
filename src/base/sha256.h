/* SHA-256 (FIPS 180-4). Any thread. */
#pragma once

#include <stddef.h>

enum { SHA256_BYTES = 32, SHA256_BASE64 = 45, SHA256_HEX = 65 }; /* texts with the zero byte */

void sha256_digest(const void *bytes, size_t size, unsigned char digest[SHA256_BYTES]);

/* In hexadecimal, as sha256sum(1) prints it. */
void sha256_hex(const void *bytes, size_t size, char text[SHA256_HEX]);

/* In base64, as a content security policy names a script. */
void sha256_base64(const void *bytes, size_t size, char text[SHA256_BASE64]);
