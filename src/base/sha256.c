#include "base/sha256.h"

#include "base/hex.h"

#include <stdint.h>
#include <string.h>

enum { BLOCK = 64, ROUNDS = 64, DIGEST = SHA256_BYTES };

/* The first 32 bits of the fractional parts of the cube roots of the first 64 primes (FIPS 180-4, 4.2.2). */
static const uint32_t constants[ROUNDS] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t rotate(uint32_t x, int bits)
{
    return x >> bits | x << (32 - bits);
}

static void add_block(uint32_t state[8], const unsigned char *block)
{
    uint32_t words[ROUNDS], v[8];
    for (int i = 0; i < 16; i++)
        words[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
                   (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
    for (int i = 16; i < ROUNDS; i++) {
        uint32_t a = words[i - 15], b = words[i - 2];
        words[i] = words[i - 16] + (rotate(a, 7) ^ rotate(a, 18) ^ a >> 3) + words[i - 7] +
                   (rotate(b, 17) ^ rotate(b, 19) ^ b >> 10);
    }
    memcpy(v, state, sizeof v);
    for (int i = 0; i < ROUNDS; i++) {
        uint32_t one = v[7] + (rotate(v[4], 6) ^ rotate(v[4], 11) ^ rotate(v[4], 25)) +
                       ((v[4] & v[5]) ^ (~v[4] & v[6])) + constants[i] + words[i];
        uint32_t two = (rotate(v[0], 2) ^ rotate(v[0], 13) ^ rotate(v[0], 22)) +
                       ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
        memmove(v + 1, v, 7 * sizeof *v);
        v[4] += one;
        v[0] = one + two;
    }
    for (int i = 0; i < 8; i++)
        state[i] += v[i];
}

void sha256_digest(const void *message, size_t size, unsigned char digest[SHA256_BYTES])
{
    const unsigned char *bytes = message;
    uint32_t state[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                         0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    unsigned char tail[2 * BLOCK] = {0};
    size_t whole = size / BLOCK * BLOCK, left = size - whole;
    size_t tail_size = left < BLOCK - 8 ? BLOCK : 2 * BLOCK;
    for (size_t i = 0; i < whole; i += BLOCK)
        add_block(state, bytes + i);
    if (left > 0)
        memcpy(tail, bytes + whole, left);
    tail[left] = 0x80;
    for (size_t i = 0; i < 8; i++)
        tail[tail_size - 1 - i] = (unsigned char)((uint64_t)size * 8 >> 8 * i);
    for (size_t i = 0; i < tail_size; i += BLOCK)
        add_block(state, tail + i);
    for (size_t i = 0; i < DIGEST; i++)
        digest[i] = (unsigned char)(state[i / 4] >> (24 - 8 * (i % 4)));
}

void sha256_hex(const void *bytes, size_t size, char text[SHA256_HEX])
{
    unsigned char digest[DIGEST];
    sha256_digest(bytes, size, digest);
    hex_write(digest, DIGEST, text);
}

void sha256_base64(const void *bytes, size_t size, char text[SHA256_BASE64])
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    unsigned char digest[DIGEST + 1] = {0};
    sha256_digest(bytes, size, digest);
    char *out = text;
    for (size_t i = 0; i < DIGEST; i += 3) {
        uint32_t three = (uint32_t)digest[i] << 16 | (uint32_t)digest[i + 1] << 8;
        three |= i + 2 < DIGEST ? digest[i + 2] : 0;
        for (int shift = 18; shift >= 0; shift -= 6)
            *out++ = letters[three >> shift & 63];
    }
    strcpy(out - 1, "="); /* 32 bytes leave two in the last three */
}
