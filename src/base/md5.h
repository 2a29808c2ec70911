/* MD5 (RFC 1321), because compilers note it of sources in DWARF 5. It tells apart what changed by accident; not
 * what somebody made to look the same. Any thread. */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { MD5_BYTES = 16, MD5_HEX = 33 }; /* with the zero byte */

void md5_digest(const void *bytes, size_t size, uint8_t digest[MD5_BYTES]);

/* A digest in hexadecimal, as md5sum(1) prints it. */
void md5_hex(const uint8_t digest[MD5_BYTES], char text[MD5_HEX]);
