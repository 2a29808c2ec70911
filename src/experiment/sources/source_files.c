#include "experiment/sources/source_files.h"

#include "base/array.h"
#include "base/clock.h"
#include "base/source_file.h"

#include <stdlib.h>
#include <string.h>

enum { FILES_MOST = 1024, READ_MOST = 512, BYTES_MOST = 64 << 20 };

static bool is_file(const struct source_file *file, const char *path, size_t length)
{
    return strncmp(file->path, path, length) == 0 && !file->path[length];
}

struct source_file *source_files_find(struct source_files *files, const char *path, size_t length)
{
    /* Lines of one file follow each other, mostly. */
    if (files->last < files->count && is_file(&files->all[files->last], path, length))
        return &files->all[files->last];
    for (files->last = 0; files->last < files->count; files->last++)
        if (is_file(&files->all[files->last], path, length))
            return &files->all[files->last];
    if (files->count == FILES_MOST || !source_is_named(path, length))
        return NULL;
    if (files->count == files->capacity) {
        struct source_file *more = array_grown(files->all, &files->capacity, sizeof *more);
        if (!more)
            return NULL;
        files->all = more;
    }
    struct source_file *file = &files->all[files->count];
    *file = (struct source_file){.path = strndup(path, length)};
    return file->path ? &files->all[files->count++] : NULL;
}

static bool was_changed(const struct stat *status, uint64_t since_ns)
{
    return clock_time_ns(status->st_mtim) > since_ns;
}

bool source_files_read(struct source_files *files, struct source_file *file)
{
    struct stat status;
    if (file->is_read || files->read_count == READ_MOST || files->bytes >= BYTES_MOST)
        return file->text;
    file->is_read = true;
    file->text = source_read(file->path, &status);
    if (!file->text)
        return false;
    file->size = strlen(file->text);
    files->read_count++;
    files->bytes += file->size;
    if (!was_changed(&status, files->started_ns))
        file->lines = source_lines(file->text, &file->line_count);
    if (!file->lines) {
        free(file->text);
        file->text = NULL;
    }
    return file->text;
}

void source_files_release(struct source_files *files)
{
    for (size_t i = 0; i < files->count; i++) {
        free(files->all[i].path);
        free(files->all[i].text);
        free(files->all[i].lines);
    }
    free(files->all);
}
