#include "base/nearest_word.h"

#include <limits.h>
#include <stddef.h>
#include <string.h>

enum { LONGEST = 31 };

static unsigned least_of(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* The number of edits from one to the other (Damerau and Levenshtein's, without edits of what was swapped). */
static unsigned count_edits(const char *a, size_t a_length, const char *b, size_t b_length)
{
    unsigned edits[LONGEST + 1][LONGEST + 1];
    for (size_t i = 0; i <= a_length; i++) {
        for (size_t j = 0; j <= b_length; j++) {
            if (i == 0 || j == 0) {
                edits[i][j] = (unsigned)(i + j);
                continue;
            }
            unsigned least = edits[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            least = least_of(least, edits[i - 1][j] + 1);
            least = least_of(least, edits[i][j - 1] + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                least = least_of(least, edits[i - 2][j - 2] + 1);
            edits[i][j] = least;
        }
    }
    return edits[a_length][b_length];
}

const char *nearest_word(const char *typed, const char *const *words)
{
    const char *nearest = NULL;
    size_t length = strlen(typed);
    unsigned least = UINT_MAX;
    for (; length > 0 && length <= LONGEST && *words; words++) {
        size_t word_length = strlen(*words);
        if (word_length > LONGEST)
            continue;
        /* What was begun is meant: "rep". */
        unsigned edits =
            strncmp(*words, typed, length) == 0 ? 0 : count_edits(typed, length, *words, word_length);
        /* More than a half of the letters wrong is another word. */
        if (edits < least && 2 * edits <= word_length) {
            least = edits;
            nearest = *words;
        }
    }
    return nearest;
}
