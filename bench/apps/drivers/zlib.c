/*
 * Compresses text that is made here: two threads, each the same blocks again and again, a progress point after each. What
 * is printed first, the hash of all compressed blocks, does not depend on how long the program ran.
 *
 *     zlib.bin [--seconds N]
 */
#include "driver.h"
#include "text.h"

#include <coz.h>
#include <zlib.h>

enum { BLOCK = 1 << 16, BLOCKS = 32, THREADS = 2 };

static unsigned char text[BLOCKS][BLOCK];

static void *work(void *argument)
{
    struct worker *self = argument;
    unsigned char out[2 * BLOCK];

    do {
        uint64_t hash = HASH_OF_NOTHING;

        for (int i = 0; i < BLOCKS; i++) {
            uLongf bytes = sizeof out;

            must(compress2(out, &bytes, text[i], BLOCK, Z_DEFAULT_COMPRESSION) == Z_OK, "compressing");
            if (self->units == 0)
                hash = hashed(hash, out, bytes);
            COZ_PROGRESS_NAMED("block");
        }
        end_round(self, self->units == 0 ? hash : self->hash, BLOCKS);
    } while (now_seconds() < self->end);
    return NULL;
}

int main(int argc, char **argv)
{
    double seconds = seconds_asked(argc, argv), start = now_seconds();
    FILE *to = fmemopen(text, sizeof text, "w");

    must(to != NULL, "the text");
    text_write(to, sizeof text);
    must(fclose(to) == 0, "the text");
    unsigned long blocks = run_workers(work, THREADS, seconds, "blocks");
    printf("%.0f blocks/s\n", (double)blocks / (now_seconds() - start));
}
