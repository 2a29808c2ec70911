/* Lines are compared with four keys, both in the form that a hash brings them to; a reader hands blocks of lines to two
 * threads. A unit is a block.
 *
 * The change: the keys are brought to that form once, and not for each line. */
#include "shape.h"

enum { LINES = 400, LENGTH = 24, KEYS = 4, ROUNDS = 12 };

struct block {
    char lines[LINES][LENGTH];
    unsigned found;
};

static const char keys[KEYS][LENGTH] = {"helloworld", "howareyou", "ferrari", "whotheman"};
static struct queue filled = QUEUE_EMPTY, empty = QUEUE_EMPTY;

static void read_block(struct block *block, uint64_t *random) STEP;
static uint32_t scramble(const char *text) STEP;
static uint32_t scramble_key(const char *text) STEP;

static void read_block(struct block *block, uint64_t *random)
{
    for (int line = 0; line < LINES; line++)
        for (int i = 0; i < LENGTH - 1; i++)
            block->lines[line][i] = (char)('a' + random_next(random) % 26);
}

static inline uint32_t scrambled(const char *text)
{
    uint32_t sum = 5381;
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; text[i]; i++)
            sum = (sum << 5 ^ sum >> 27) + (unsigned char)text[i];
    return sum;
}

static uint32_t scramble(const char *text)
{
    return scrambled(text);
}

static uint32_t scramble_key(const char *text)
{
#ifdef CHANGED
    static __thread uint32_t known[KEYS];
    uint32_t *sum = &known[(text - keys[0]) / LENGTH];
    return *sum ? *sum : (*sum = scrambled(text));
#else
    return scrambled(text);
#endif
}

static void *match_or_read(void *number)
{
    uint64_t random = 1;
    for (;;) {
        struct block *block = queue_take(number ? &filled : &empty);
        if (number) {
            for (int line = 0; line < LINES; line++)
                for (int key = 0; key < KEYS; key++)
                    block->found += scramble(block->lines[line]) == scramble_key(keys[key]);
            UNIT("block");
        } else
            read_block(block, &random);
        queue_put(number ? &empty : &filled, block);
    }
}

int main(int argc, char **argv)
{
    static struct block blocks[6];
    for (int i = 0; i < 6; i++)
        queue_put(&empty, &blocks[i]);
    return run_threads(match_or_read, 3, argc, argv);
}
