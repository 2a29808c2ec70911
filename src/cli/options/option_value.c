#include "cli/options/option_value.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* As strtod(), but finite, and of a size that can be counted with. */
static bool read_number(const char *text, char **rest, double *number)
{
    errno = 0;
    *number = strtod(text, rest);
    return *rest != text && errno == 0 && *number == *number && *number < 1e15 && *number > -1e15;
}

bool option_number(const char *text, double *number)
{
    char *rest;
    return read_number(text, &rest, number) && !*rest;
}

bool option_whole(const char *text, uint64_t *number)
{
    char *rest;
    errno = 0;
    *number = strtoull(text, &rest, 10);
    return *text >= '0' && *text <= '9' && !*rest && errno == 0;
}

bool option_port(const char *text, uint16_t *port)
{
    uint64_t number;
    bool fits = option_whole(text, &number) && number <= UINT16_MAX;
    *port = fits ? (uint16_t)number : 0;
    return fits;
}

int option_word(const char *text, const char *const *words)
{
    for (int i = 0; words[i]; i++)
        if (strcmp(text, words[i]) == 0)
            return i;
    return -1;
}

enum segment_sampler option_sampler(const char *text)
{
    static const enum segment_sampler samplers[] = {SAMPLER_PERF, SAMPLER_TIMER};
    int word = option_word(text, (const char *const[]){"perf", "timer", NULL});
    return word < 0 ? SAMPLER_NONE : samplers[word];
}

static bool add_speedup(double percent, int *permille, size_t *count, size_t room)
{
    if (percent > 100 || percent < -1000)
        return false;
    int rounded = (int)(percent * 10 + (percent < 0 ? -0.5 : 0.5));
    for (size_t i = 0; i < *count; i++)
        if (permille[i] == rounded)
            return true;
    if (*count == room)
        return false;
    permille[(*count)++] = rounded;
    return true;
}

bool option_speedups(const char *text, int *permille, size_t *count, size_t room)
{
    char *rest;
    double from, to, step = 5;
    if (!read_number(text, &rest, &from))
        return false;
    if (*rest == '%')
        rest++;
    if (!*rest)
        return add_speedup(from, permille, count, room);
    if (*rest != '-' || !read_number(rest + 1, &rest, &to) || to < from)
        return false;
    if (*rest == ':' && !read_number(rest + 1, &rest, &step))
        return false;
    if (*rest || step <= 0)
        return false;
    for (double percent = from; percent <= to + 1e-9; percent += step)
        if (!add_speedup(percent, permille, count, room))
            return false;
    return true;
}
