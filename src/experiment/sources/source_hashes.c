#include "experiment/sources/source_hashes.h"

#include "base/sha256.h"
#include "debuginfo/debuginfo.h"
#include "shared/module_slots.h"

#include <stdlib.h>
#include <string.h>

/* A file is hashed at some 200 MB a second. */
enum { FILES_MOST = 256, BYTES_MOST = 32 << 20 };

static void note_file(struct source_files *files, const char *path, size_t length, uint64_t samples)
{
    struct source_file *file = source_files_find(files, path, length);
    if (file)
        file->samples += samples;
}

/* "path:line". */
static void note_place(struct source_files *files, const char *place, size_t length, uint64_t samples)
{
    const char *colon = memrchr(place, ':', length);
    if (colon)
        note_file(files, place, (size_t)(colon - place), samples);
}

int source_hashes_note(void *context, const struct profile_record *record)
{
    const struct source_hashes *hashes = context;
    if (record->type == PROFILE_SAMPLES) {
        const char *location = record->samples.location, *file = record->samples.file;
        const char *caller = strstr(location, " <- ");
        uint64_t samples = record->samples.count;
        if (file)
            note_file(hashes->files, file, strlen(file), samples);
        else
            note_place(hashes->files, location, caller ? (size_t)(caller - location) : strlen(location),
                       samples);
        if (!file && caller)
            note_place(hashes->files, caller + 4, strlen(caller + 4), samples);
    }
    return hashes->sink(hashes->context, record);
}

/* A source that DWARF tells of; most have no samples. */
static void take_md5(void *context, const char *source, const uint8_t md5[MD5_BYTES])
{
    struct source_files *files = context;
    for (size_t i = 0; i < files->count; i++)
        if (strcmp(files->all[i].path, source) == 0)
            md5_hex(md5, files->all[i].md5);
}

void source_hashes_ask_modules(struct source_files *files, const struct segment *segment,
                               const struct scope *scope)
{
    for (int i = 0; files->count > 0 && i < SEGMENT_MODULES; i++) {
        const struct segment_module *module = &segment->modules[i];
        if (!module_slot_is_taken(module))
            break; /* none behind it has memory yet */
        if (atomic_load(&module->state) == MODULE_KNOWN && module->row_count)
            debuginfo_find_md5s(module->path, scope, take_md5, files);
    }
}

static int compare_files(const void *a, const void *b)
{
    const struct source_file *x = a, *y = b;
    if (x->samples != y->samples)
        return x->samples > y->samples ? -1 : 1;
    return strcmp(x->path, y->path);
}

int source_hashes_write(const struct source_hashes *hashes)
{
    struct source_files *files = hashes->files;
    size_t bytes = 0;
    int rc = 0;
    if (files->count > 0)
        qsort(files->all, files->count, sizeof *files->all, compare_files);
    for (size_t i = 0; i < files->count && i < FILES_MOST && rc == 0; i++) {
        struct source_file *file = &files->all[i];
        char sha256[SHA256_HEX] = "";
        if (bytes < BYTES_MOST && source_files_read(files, file)) {
            sha256_hex(file->text, file->size, sha256);
            bytes += file->size;
        }
        struct profile_record record = {.type = PROFILE_SOURCE, .source = {file->path, sha256, file->md5}};
        if (*sha256 || *file->md5)
            rc = hashes->sink(hashes->context, &record);
    }
    return rc;
}
