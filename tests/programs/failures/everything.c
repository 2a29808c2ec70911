/* A program that only calls its library (everything_library.c).
 *
 *     everything [--ms N | --until FILE] */
#include "../target.h"

unsigned everything(unsigned x);

int main(int argc, char **argv)
{
    struct span span = span_option(argc, argv);
    unsigned x = 1;
    while (!is_over(span))
        x = everything(x);
    return x == 0;
}
