#include "stats/input/sums.h"

#include "base/array.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void sums_release(struct sums *sums)
{
    names_release(&sums->names);
    free(sums->items);
}

static int add_to_sum(struct sums *sums, const char *name, double own, double called)
{
    long id = names_add(&sums->names, name);
    if (id < 0)
        return -ENOMEM;
    struct sum *items = array_zeroed(sums->items, &sums->capacity, (size_t)id + 1, sizeof *items);
    if (!items)
        return -ENOMEM;
    sums->items = items;
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
    int code = add_to_sum(functions, record->samples.location, own, samples);
    if (code == 0 && record->samples.file)
        code = add_to_sum(files, record->samples.file, own, 0);
    return code;
}

int sums_add(struct sums *functions, struct sums *files, const struct profile_record *record)
{
    const char *kind = record->samples.kind;
    double samples = (double)record->samples.count;
    if (kind && strcmp(kind, "function") == 0)
        return add_function(functions, files, record, samples);
    if (kind && strcmp(kind, "file") == 0 && record->samples.location[0] == '/')
        return add_to_sum(files, record->samples.location, samples, 0);
    if (kind && strcmp(kind, "line") != 0 && strcmp(kind, "callsite") != 0)
        return 0; /* what it is, who wrote it knows */
    char *file = file_of_line(record->samples.location);
    int code = file ? add_to_sum(files, file, samples, 0) : -ENOMEM;
    free(file);
    if (code == 0 && record->samples.function)
        code = add_to_sum(functions, record->samples.function, samples, 0);
    return code;
}
