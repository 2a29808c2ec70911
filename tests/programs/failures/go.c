/* What Go's linker leaves behind: a section of that name. Linked statically it stands for a program of Go alone, and
 * otherwise for one that uses C.
 *
 *     go [--ms N | --until FILE] */
#include "../target.h"

#include <coz.h>

enum { STEPS = 400000 };

__attribute__((section(".go.buildinfo"), used)) static char mark[32] = "\xff Go buildinf:";
static volatile unsigned sum;

int main(int argc, char **argv)
{
    struct span span = span_option(argc, argv);
    while (!is_over(span)) {
        unsigned x = sum;
        for (int i = 0; i < STEPS; x = MIX(x, 2246822519u), i++)
            continue;
        sum = x;
        COZ_PROGRESS_NAMED("piece");
    }
    return mark[0] == 0;
}
