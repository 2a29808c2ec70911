/* Writes a byte into a pipe and reads it again, all the time: every other microsecond is a hook's. A thousand are a visit.
 *
 *     passer [--ms N | --until FILE]      as target.h says */
#include "../target.h"

#include <coz.h>

int main(int argc, char **argv)
{
    struct span span = span_option(argc, argv);
    int ends[2];
    char byte = 0;
    must(pipe(ends));
    while (!is_over(span)) {
        for (int i = 0; i < 1000; i++) {
            must(write(ends[1], &byte, 1) != 1);
            must(read(ends[0], &byte, 1) != 1);
        }
        COZ_PROGRESS_NAMED("pass");
    }
    return 0;
}
