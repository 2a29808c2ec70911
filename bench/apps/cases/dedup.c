/* Chunks of data are looked for among those that were seen before: a pipeline of three threads that make chunks, look
 * them up in a hash table, and pack those that are new. A unit is a chunk.
 *
 * The change: the hash takes all bytes of a chunk's fingerprint, and not their sum, which makes but few of the table's
 * buckets be used, and their chains long. */
#include "shape.h"

enum { CHUNK = 1024, BUCKETS = 131072, KNOWN = 524288, FINGERPRINT = 20 };

struct chunk {
    unsigned char bytes[CHUNK], fingerprint[FINGERPRINT];
    int is_known;
};

struct entry {
    unsigned char fingerprint[FINGERPRINT];
    struct entry *next;
};

static struct entry *buckets[BUCKETS];
static struct queue made = QUEUE_EMPTY, looked_up = QUEUE_EMPTY, empty = QUEUE_EMPTY;

static void make_chunk(struct chunk *chunk, uint64_t *random) STEP;
static unsigned hash_of(const unsigned char *fingerprint);
static struct entry *find_entry(const unsigned char *fingerprint) STEP;
static unsigned pack_chunk(const struct chunk *chunk) STEP;

/* A chunk of few contents, of which its fingerprint is made. */
static void make_chunk(struct chunk *chunk, uint64_t *random)
{
    uint64_t content = random_next(random) % (2 * KNOWN), mixed = content;
    for (int i = 0; i < CHUNK; i++) {
        mixed = mixed * 31 + (mixed >> 7) + (unsigned)i;
        chunk->bytes[i] = (unsigned char)(mixed >> 3);
    }
    for (int i = 0; i < FINGERPRINT; i++)
        chunk->fingerprint[i] = (unsigned char)random_next(&content);
}

static unsigned hash_of(const unsigned char *fingerprint)
{
    unsigned hash = 0;
    for (int i = 0; i < FINGERPRINT; i++)
#ifdef CHANGED
        hash = hash * 31 + fingerprint[i];
#else
        hash += fingerprint[i];
#endif
    return hash % BUCKETS;
}

static struct entry *find_entry(const unsigned char *fingerprint)
{
    struct entry *entry = buckets[hash_of(fingerprint)];
    while (entry && memcmp(entry->fingerprint, fingerprint, FINGERPRINT) != 0)
        entry = entry->next;
    return entry;
}

static unsigned pack_chunk(const struct chunk *chunk)
{
    unsigned sum = 1;
    for (int i = 1; i < CHUNK; i++)
        sum = (sum << 1 | sum >> 31) ^ (unsigned)(chunk->bytes[i] * chunk->bytes[i - 1]);
    return sum;
}

static void *stage(void *number)
{
    static volatile unsigned packed;
    uint64_t random = 1;
    for (;;)
        switch ((intptr_t)number) {
        case 0: {
            struct chunk *chunk = queue_take(&empty);
            make_chunk(chunk, &random);
            queue_put(&made, chunk);
            break;
        }
        case 1: {
            struct chunk *chunk = queue_take(&made);
            chunk->is_known = find_entry(chunk->fingerprint) != NULL;
            queue_put(&looked_up, chunk);
            break;
        }
        default: {
            struct chunk *chunk = queue_take(&looked_up);
            if (!chunk->is_known)
                packed += pack_chunk(chunk);
            UNIT("chunk");
            queue_put(&empty, chunk);
        }
        }
}

int main(int argc, char **argv)
{
    static struct entry entries[KNOWN];
    static struct chunk chunks[8];
    for (int i = 0; i < KNOWN; i++) {
        uint64_t content = (uint64_t)i;
        for (int k = 0; k < FINGERPRINT; k++)
            entries[i].fingerprint[k] = (unsigned char)random_next(&content);
        struct entry **bucket = &buckets[hash_of(entries[i].fingerprint)];
        entries[i].next = *bucket;
        *bucket = &entries[i];
    }
    for (int i = 0; i < 8; i++)
        queue_put(&empty, &chunks[i]);
    return run_threads(stage, 3, argc, argv);
}
