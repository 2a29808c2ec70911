/* Text from elsewhere on its way to a person: what comes out is valid UTF-8 without characters that steer a terminal,
 * or turn or hide text, and without any of the secrets, however the text is cut into pieces. */
#pragma once

#include <stddef.h>

enum { SIEVE_SECRETS = 3, SIEVE_SECRET_LEAST = 8 /* bytes; what is shorter is no secret */ };

struct sieve {
    const char *secrets[SIEVE_SECRETS]; /* borrowed; NULL: none */
    /* Not 0 ends it. */
    int (*put)(void *context, const char *text, size_t size);
    void *context;
    /* Begin as zeroes. */
    char torn[4]; /* the beginning of a character */
    size_t torn_size;
    char *held; /* clean text that may be a secret's beginning */
    size_t held_size, held_capacity;
};

/* 0, -ENOMEM, or what put() said. */
int sieve_add(struct sieve *sieve, const char *text, size_t size);
/* After the last piece. The same. */
int sieve_end(struct sieve *sieve);
void sieve_release(struct sieve *sieve);
