#include "advice/sieve.h"

#include "profile/utf8.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static int hold(struct sieve *sieve, const char *text, size_t size)
{
    if (sieve->held_size + size > sieve->held_capacity) {
        size_t capacity = 2 * (sieve->held_size + size);
        char *more = realloc(sieve->held, capacity);
        if (!more)
            return -ENOMEM;
        sieve->held = more;
        sieve->held_capacity = capacity;
    }
    memcpy(sieve->held + sieve->held_size, text, size);
    sieve->held_size += size;
    return 0;
}

/* How many bytes the character at the text's beginning would have by its first. */
static size_t length_by_lead(unsigned char lead)
{
    return lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
}

/* Takes the whole characters of torn + text into held. */
static int clean(struct sieve *sieve, const char *text, size_t size, bool is_end)
{
    while (sieve->torn_size > 0 || size > 0) {
        char one[5] = "";
        memcpy(one, sieve->torn, sieve->torn_size);
        size_t had = sieve->torn_size, room = sizeof one - 1 - had, more = size < room ? size : room;
        memcpy(one + had, text, more);
        size_t there = had + more, length = utf8_length(one);
        if (length == 0 && there < length_by_lead((unsigned char)one[0]) && !is_end) {
            memcpy(sieve->torn, one, there);
            sieve->torn_size = there;
            return 0;
        }
        bool steers = length > 0 && one[0] != '\n' && one[0] != '\t' && utf8_steering(one, length);
        size_t taken = length > 0 ? length : 1;
        int code = one[0] == '\0' || steers ? 0
                   : length > 0             ? hold(sieve, one, length)
                                            : hold(sieve, UTF8_REPLACEMENT, strlen(UTF8_REPLACEMENT));
        if (code < 0)
            return code;
        /* What was torn goes first; what is left of it stays torn. */
        size_t of_torn = taken < had ? taken : had;
        memmove(sieve->torn, sieve->torn + of_torn, had - of_torn);
        sieve->torn_size = had - of_torn;
        text += taken - of_torn;
        size -= taken - of_torn;
    }
    return 0;
}

/* How many bytes at the text's beginning are a secret, the longest that it may be; 0: none. *may_be: all of the text may
 * be the beginning of one that is longer. */
static size_t find_secret(const struct sieve *sieve, const char *text, size_t size, bool *may_be)
{
    size_t longest = 0;
    *may_be = false;
    for (size_t i = 0; i < SIEVE_SECRETS; i++) {
        size_t length = sieve->secrets[i] ? strlen(sieve->secrets[i]) : 0;
        if (length < SIEVE_SECRET_LEAST ||
            memcmp(text, sieve->secrets[i], size < length ? size : length) != 0)
            continue;
        if (size < length)
            *may_be = true;
        else if (length > longest)
            longest = length;
    }
    return longest;
}

/* Lets go what is held, but for the beginning of a secret. */
static int let_go(struct sieve *sieve, bool is_end)
{
    static const char instead[] = "[key]";
    size_t from = 0, at = 0;
    int code = 0;
    while (at < sieve->held_size && code == 0) {
        bool may_be;
        size_t secret = find_secret(sieve, sieve->held + at, sieve->held_size - at, &may_be);
        if (may_be && !is_end)
            break;
        if (secret == 0) {
            at++;
            continue;
        }
        code = at > from ? sieve->put(sieve->context, sieve->held + from, at - from) : 0;
        if (code == 0)
            code = sieve->put(sieve->context, instead, sizeof instead - 1);
        from = at += secret;
    }
    if (code == 0 && at > from)
        code = sieve->put(sieve->context, sieve->held + from, at - from);
    if (sieve->held_size > at)
        memmove(sieve->held, sieve->held + at, sieve->held_size - at);
    sieve->held_size -= at;
    return code;
}

int sieve_add(struct sieve *sieve, const char *text, size_t size)
{
    int code = clean(sieve, text, size, false);
    return code ? code : let_go(sieve, false);
}

int sieve_end(struct sieve *sieve)
{
    int code = clean(sieve, "", 0, true);
    return code ? code : let_go(sieve, true);
}

void sieve_release(struct sieve *sieve)
{
    free(sieve->held);
    sieve->held = NULL;
}
