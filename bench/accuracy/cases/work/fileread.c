/*
 * Reads a file that is in the page cache and computes in turn.
 * Planted: each line pays its share; the reading one's time is all in the kernel.
 *
 * @case fileread
 */
#include "case.h"

enum { BLOCK = 64 * 1024, BLOCKS = 32 };

static unsigned reads = 150, compute_steps = 4 * MS / 5;
static char block[BLOCK];

int main(int argc, char **argv)
{
    const struct knob knobs[] = {{"read", &reads}, {"compute", &compute_steps}};
    FILE *file = tmpfile();
    unsigned x = 1;

    case_start(argc, argv, knobs, 2);
    if (!file)
        case_fail("tmpfile");
    for (int i = 0; i < BLOCKS; i++)
        fwrite(block, 1, BLOCK, file);
    if (fflush(file) != 0)
        case_fail("temporary file");
    for (;;) {
        for (unsigned i = 0; i < reads; i++)
            if (pread(fileno(file), block, BLOCK, (off_t)(i % BLOCKS) * BLOCK) != BLOCK) /* TARGET read */
                case_fail("pread");
        WORK(x, compute_steps); /* TARGET compute */
        VISIT();
    }
}
