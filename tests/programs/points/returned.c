/* Functions that return in several ways, so often:
 *
 *     returned TIMES
 *     returned TIMES --until FILE    again and again, until the file is there */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile unsigned sink;

static unsigned mix(unsigned x, unsigned rounds)
{
    for (unsigned i = 0; i < rounds; i++)
        x = x * 2654435761u + i;
    return x;
}

/* By one of two returns. */
__attribute__((noinline)) unsigned early(unsigned number)
{
    if (number % 3 == 0)
        return number;
    sink = mix(number, 300);
    return sink + 1;
}

/* By a jump to a function that returns for it, or by itself. */
__attribute__((noinline)) unsigned handing(unsigned number)
{
    if (number % 2)
        return early(number + 1);
    sink = mix(number, 100);
    return sink;
}

/* Nobody knows where to. */
unsigned (*volatile chosen)(unsigned) = early;
__attribute__((noinline)) unsigned choosing(unsigned number)
{
    unsigned (*const next)(unsigned) = chosen;
    return next(number ^ 1);
}

int main(int argc, char **argv)
{
    unsigned times = argc > 1 ? (unsigned)atoi(argv[1]) : 100;
    const char *until = argc > 3 && strcmp(argv[2], "--until") == 0 ? argv[3] : NULL;
    do {
        for (unsigned i = 0; i < times; i++)
            sink += early(i) + handing(i);
    } while (until && access(until, F_OK) != 0);
    return choosing(sink) == 0;
}
