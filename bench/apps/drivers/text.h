/* The same text-like bytes each time: lines of words from a vocabulary in which a few are frequent. */
#pragma once

#include <stdio.h>

enum { TEXT_WORDS = 4096, TEXT_WORD_BYTES = 12 };

static inline unsigned text_random(unsigned long long *state, unsigned below)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (unsigned)(*state >> 33) % below;
}

static inline void text_write(FILE *to, long long left)
{
    static char words[TEXT_WORDS][TEXT_WORD_BYTES + 1];
    unsigned long long state = 88172645463325252u;
    int column = 0;

    for (int i = 0; i < TEXT_WORDS; i++) {
        unsigned length = 2 + text_random(&state, TEXT_WORD_BYTES - 2);
        for (unsigned k = 0; k < length; k++)
            words[i][k] = (char)('a' + text_random(&state, 26));
    }
    while (left > 0) {
        /* The product of two makes the low ones frequent. */
        unsigned first = text_random(&state, TEXT_WORDS), second = text_random(&state, TEXT_WORDS) + 1;
        for (const char *word = words[first * second / TEXT_WORDS]; *word && left > 0;
             word++, left--, column++)
            putc(*word, to);
        if (left > 0) {
            putc(column > 72 ? '\n' : ' ', to);
            left--;
            column = column > 72 ? 0 : column + 1;
        }
    }
}
