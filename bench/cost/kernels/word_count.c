/* Two threads take the next piece of a text from a common counter, and count its words in a table of their own; a full
 * table is emptied. A unit is a piece. */
#include "shape.h"

enum { TEXT = 1 << 22, PIECE = 1 << 14, SLOTS = 1 << 14, WORDS = 4096, THREADS = 2 };

struct slot {
    const char *word;
    uint32_t length, count;
};

static char text[TEXT + 1];
static _Atomic unsigned next_piece;

static uint32_t hash_word(const char *word, uint32_t length)
{
    uint32_t hash = 2166136261u;
    for (uint32_t i = 0; i < length; i++)
        hash = (hash ^ (uint8_t)word[i]) * 16777619u;
    return hash;
}

static void count_word(struct slot *table, const char *word, uint32_t length) STEP;
static void count_piece(struct slot *table, const char *piece) STEP;

static void count_word(struct slot *table, const char *word, uint32_t length)
{
    uint32_t place = hash_word(word, length) % SLOTS;
    while (table[place].word &&
           (table[place].length != length || memcmp(table[place].word, word, length) != 0))
        place = (place + 1) % SLOTS;
    table[place].word = word;
    table[place].length = length;
    table[place].count++;
}

static void count_piece(struct slot *table, const char *piece)
{
    for (const char *end = piece + PIECE; piece < end; piece++) {
        const char *word = piece;
        while (piece < end && *piece != ' ')
            piece++;
        if (piece > word)
            count_word(table, word, (uint32_t)(piece - word));
    }
}

static void *count_words(void *unused)
{
    struct slot *table = calloc(SLOTS, sizeof *table);
    for (unsigned pieces = 0; table; pieces++) {
        if (pieces % 64 == 0)
            memset(table, 0, SLOTS * sizeof *table);
        count_piece(table, text + atomic_fetch_add(&next_piece, 1) % (TEXT / PIECE) * PIECE);
        UNIT("piece");
    }
    return unused;
}

int main(int argc, char **argv)
{
    /* A few of so many words are frequent. Pieces may cut one, so there are some more. */
    uint64_t random = 13;
    for (char *at = text; at < text + TEXT;) {
        uint64_t word = 1 + (uint64_t)random_next(&random) % WORDS * (random_next(&random) % WORDS) / WORDS;
        for (unsigned left = 2 + (unsigned)(word % 9); left > 0 && at < text + TEXT; left--)
            *at++ = (char)('a' + random_next(&word) % 26);
        if (at < text + TEXT)
            *at++ = ' ';
    }
    return run_threads(count_words, THREADS, argc, argv);
}
