#include "experiment/targets/nearest.h"

#include "debuginfo/names/function_name.h"
#include "shared/thread_names.h"

#include <stdio.h>
#include <string.h>

enum { NEAREST_FILES = 3, NEAREST_THREADS = 8 };

static void append(char *text, size_t size, const char *before, const char *name)
{
    size_t used = strlen(text);
    snprintf(text + used, size - used, "%s%.300s", before, name);
}

const char *nearest_functions(const struct site_set *sites, const uint32_t *ids, size_t count, char *text,
                              size_t size)
{
    *text = '\0';
    for (size_t i = 0; i < count; i++)
        append(text, size, i ? ", " : "; the nearest names: ", sites->sites[ids[i]].file);
    return text;
}

struct near_files {
    const char *files[NEAREST_FILES];
    size_t distances[NEAREST_FILES], count;
};

static void note_file(struct near_files *near, const char *file, size_t distance)
{
    size_t at = near->count;
    while (at > 0 && near->distances[at - 1] > distance)
        at--;
    if (at == NEAREST_FILES)
        return;
    near->count += near->count < NEAREST_FILES;
    for (size_t i = near->count - 1; i > at; i--) {
        near->files[i] = near->files[i - 1];
        near->distances[i] = near->distances[i - 1];
    }
    near->files[at] = file;
    near->distances[at] = distance;
}

static bool is_noted(const struct near_files *near, const char *file)
{
    for (size_t i = 0; i < near->count; i++)
        if (near->files[i] == file)
            return true;
    return false;
}

/* Sites of a file mostly stand together, and names are interned. */
const char *nearest_files(const struct site_set *sites, const char *pattern, char *text, size_t size)
{
    struct near_files near = {.count = 0};
    const char *last = NULL;
    *text = '\0';
    for (uint32_t id = 1; id < sites->count; id++) {
        const struct site *site = &sites->sites[id];
        if (site->line == 0 || site->file == last || is_noted(&near, site->file))
            continue;
        last = site->file;
        note_file(&near, site->file, function_name_distance(basename(site->file), basename(pattern)));
    }
    for (size_t i = 0; i < near.count; i++)
        append(text, size, i ? ", " : "; the nearest: ", near.files[i]);
    return text;
}

const char *nearest_threads(const struct segment *segment, char *text, size_t size)
{
    char name[THREAD_NAME_BYTES];
    size_t count = 0;
    *text = '\0';
    for (uint32_t i = 1; i < SEGMENT_THREAD_NAMES && count < NEAREST_THREADS; i++)
        if (thread_name_is_ready(&segment->thread_names[i]) && atomic_load(&segment->sites[i].count))
            append(text, size, count++ ? ", " : "", thread_name_read(segment, i, name));
    return text;
}
