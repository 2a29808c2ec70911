#include "stats/input/sums.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void sums_release(struct sums *sums)
{
    names_release(&sums->names);
    free(sums->items);
}

static int add(struct sums *sums, const char *name, double own, double called)
{
    long id = names_add(&sums->names, name);
    if (id < 0)
        return -ENOMEM;
    if ((size_t)id >= sums->capacity) {
        size_t capacity = 2 * sums->capacity + 64;
        struct sum *items = realloc(sums->items, capacity * sizeof *items);
        if (!items)
            return -ENOMEM;
        memset(items + sums->capacity, 0, (capacity - sums->capacity) * sizeof *items);
        sums->items = items;
        sums->capacity = capacity;
    }
    sums->items[id].own += own;
    sums->items[id].called += called;
    return 0;
}

/* "path:line", which may go on with " <- " and the caller's. */
static char *file_of_line(const char *location)
{
    const char *end = strstr(location, " <- ");
    size_t length = end ? (size_t)(end - location) : strlen(location);
    const char *colon = memrchr(location, ':', length);
    return strndup(location, colon ? (size_t)(colon - location) : length);
}

static int add_function(struct sums *functions, struct sums *files, const struct profile_record *record,
                        double samples)
{
    double cpu = (double)record->samples.cpu_ns;
    double own = cpu > 0 ? samples * (double)record->samples.self_ns / cpu : 0;
    int code = add(functions, record->samples.location, own, samples);
    if (code == 0 && record->samples.file)
        code = add(files, record->samples.file, own, 0);
    return code;
}

int sums_add(struct sums *functions, struct sums *files, const struct profile_record *record)
{
    const char *kind = record->samples.kind;
    double samples = (double)record->samples.count;
    if (kind && strcmp(kind, "function") == 0)
        return add_function(functions, files, record, samples);
    if (kind && strcmp(kind, "line") != 0 && strcmp(kind, "callsite") != 0)
        return 0; /* what it is, who wrote it knows */
    char *file = file_of_line(record->samples.location);
    int code = file ? add(files, file, samples, 0) : -ENOMEM;
    free(file);
    if (code == 0 && record->samples.function)
        code = add(functions, record->samples.function, samples, 0);
    return code;
}
