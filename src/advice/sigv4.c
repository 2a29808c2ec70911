#include "advice/sigv4.h"

#include "base/hex.h"
#include "base/sha256.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 64 };

/* RFC 2104, of texts; the key is of SHA256_BYTES or as long as it is. False when memory is out. */
static bool make_hmac(const void *key, size_t key_size, const char *text, unsigned char mac[SHA256_BYTES])
{
    size_t size = strlen(text);
    unsigned char pad[BLOCK] = {0}, outer[BLOCK + SHA256_BYTES];
    unsigned char *inner = malloc(BLOCK + size);
    if (!inner)
        return false;
    if (key_size > BLOCK)
        sha256_digest(key, key_size, pad);
    else
        memcpy(pad, key, key_size);
    for (size_t i = 0; i < BLOCK; i++) {
        inner[i] = pad[i] ^ 0x36;
        outer[i] = pad[i] ^ 0x5c;
    }
    memcpy(inner + BLOCK, text, size);
    sha256_digest(inner, BLOCK + size, outer + BLOCK);
    sha256_digest(outer, sizeof outer, mac);
    free(inner);
    return true;
}

char *sigv4_encode(const char *text, bool keeps_slash)
{
    char *encoded = malloc(3 * strlen(text) + 1), *end = encoded;
    for (; encoded && *text; text++) {
        unsigned char byte = (unsigned char)*text;
        if ((byte < 0x80 && isalnum(byte)) || strchr("-._~", byte) || (byte == '/' && keeps_slash))
            *end++ = *text;
        else
            end += sprintf(end, "%%%02X", byte);
    }
    if (encoded)
        *end = '\0';
    return encoded;
}

/* What is signed: the request in the one form that both sides agree on, as a digest. */
static bool digest_request(const struct sigv4 *request, const char *date, char digest[SHA256_HEX])
{
    char *canonical, *path = sigv4_encode(request->path, true), body[SHA256_HEX];
    sha256_hex(request->body, request->size, body);
    int size = path
                   ? asprintf(&canonical, "POST\n%s\n\nhost:%s\nx-amz-date:%s\n%s%s%s\nhost;x-amz-date%s\n%s",
                              path, request->host, date, request->token ? "x-amz-security-token:" : "",
                              request->token ? request->token : "", request->token ? "\n" : "",
                              request->token ? ";x-amz-security-token" : "", body)
                   : -1;
    free(path);
    if (size < 0)
        return false;
    sha256_hex(canonical, (size_t)size, digest);
    free(canonical);
    return true;
}

/* The key of a day, a region and a service. */
static bool make_key(const struct sigv4 *request, const char *day, unsigned char key[SHA256_BYTES])
{
    char *first;
    if (asprintf(&first, "AWS4%s", request->secret_key) < 0)
        return false;
    bool made = make_hmac(first, strlen(first), day, key) &&
                make_hmac(key, SHA256_BYTES, request->region, key) &&
                make_hmac(key, SHA256_BYTES, request->service, key) &&
                make_hmac(key, SHA256_BYTES, "aws4_request", key);
    explicit_bzero(first, strlen(first));
    free(first);
    return made;
}

char *sigv4_sign(const struct sigv4 *request, char date[SIGV4_DATE])
{
    struct tm utc;
    char day[9], scope[SIGV4_SCOPED], digest[SHA256_HEX], *text = NULL, *authorization = NULL;
    unsigned char key[SHA256_BYTES], mac[SHA256_BYTES];
    char signature[SHA256_HEX];
    gmtime_r(&request->now, &utc);
    strftime(date, SIGV4_DATE, "%Y%m%dT%H%M%SZ", &utc);
    strftime(day, sizeof day, "%Y%m%d", &utc);
    snprintf(scope, sizeof scope, "%s/%s/%s/aws4_request", day, request->region, request->service);
    if (!digest_request(request, date, digest) || !make_key(request, day, key) ||
        asprintf(&text, "AWS4-HMAC-SHA256\n%s\n%s\n%s", date, scope, digest) < 0)
        return NULL;
    if (make_hmac(key, sizeof key, text, mac)) {
        hex_write(mac, sizeof mac, signature);
        if (asprintf(&authorization,
                     "AWS4-HMAC-SHA256 Credential=%s/%s, SignedHeaders=host;x-amz-date%s, Signature=%s",
                     request->access_key, scope, request->token ? ";x-amz-security-token" : "",
                     signature) < 0)
            authorization = NULL;
    }
    free(text);
    return authorization;
}
