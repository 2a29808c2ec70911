/*
 * Writes the same text-like bytes each time.
 *
 *     generate BYTES > FILE
 */
#include "text.h"

#include <stdlib.h>

int main(int argc, char **argv)
{
    long long bytes = argc == 2 ? atoll(argv[1]) : 0;

    if (bytes <= 0) {
        fprintf(stderr, "usage: generate BYTES\n");
        return 2;
    }
    text_write(stdout, bytes);
    return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 1;
}
