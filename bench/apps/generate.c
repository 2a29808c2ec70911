/*
 * Writes the same text-like bytes each time: lines of words from a vocabulary in which a few are frequent.
 *
 *     generate BYTES > FILE
 */
#include <stdio.h>
#include <stdlib.h>

enum { WORDS = 4096, WORD_BYTES = 12 };

static unsigned long long state = 88172645463325252u;

static unsigned next(unsigned below)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (unsigned)(state >> 33) % below;
}

int main(int argc, char **argv)
{
    static char words[WORDS][WORD_BYTES + 1];
    long long left = argc == 2 ? atoll(argv[1]) : 0;
    int column = 0;

    if (left <= 0) {
        fprintf(stderr, "usage: generate BYTES\n");
        return 2;
    }
    for (int i = 0; i < WORDS; i++) {
        unsigned length = 2 + next(WORD_BYTES - 2);
        for (unsigned k = 0; k < length; k++)
            words[i][k] = (char)('a' + next(26));
    }
    while (left > 0) {
        /* The product of two makes the low ones frequent. */
        const char *word = words[next(WORDS) * (next(WORDS) + 1) / WORDS];
        for (; *word && left > 0; word++, left--, column++)
            putchar(*word);
        if (left > 0) {
            putchar(column > 72 ? '\n' : ' ');
            left--;
            column = column > 72 ? 0 : column + 1;
        }
    }
    return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 1;
}
