#include "experiment/sources/source_hashes.h"

#include "base/array.h"
#include "base/sha256.h"
#include "base/source_file.h"
#include "debuginfo/debuginfo.h"
#include "shared/module_slots.h"

#include <stdlib.h>
#include <string.h>

/* A file is hashed at some 200 MB a second. */
enum { NOTED_MOST = 1024, FILES_MOST = 256, BYTES_MOST = 32 << 20 };

static bool is_file(const struct source_samples *file, const char *path, size_t length)
{
    return strncmp(file->path, path, length) == 0 && !file->path[length];
}

/* The file of that path, which may be new; NULL: there is no room for it. */
static struct source_samples *find_file(struct source_hashes *hashes, const char *path, size_t length)
{
    /* Lines of one file follow each other, mostly. */
    if (hashes->last < hashes->count && is_file(&hashes->files[hashes->last], path, length))
        return &hashes->files[hashes->last];
    for (hashes->last = 0; hashes->last < hashes->count; hashes->last++)
        if (is_file(&hashes->files[hashes->last], path, length))
            return &hashes->files[hashes->last];
    if (hashes->count == NOTED_MOST)
        return NULL;
    if (hashes->count == hashes->capacity) {
        struct source_samples *more = array_grown(hashes->files, &hashes->capacity, sizeof *more);
        if (!more)
            return NULL;
        hashes->files = more;
    }
    struct source_samples *file = &hashes->files[hashes->count];
    *file = (struct source_samples){.path = strndup(path, length)};
    return file->path ? &hashes->files[hashes->count++] : NULL;
}

static void note_file(struct source_hashes *hashes, const char *path, size_t length, uint64_t samples)
{
    struct source_samples *file = source_is_named(path, length) ? find_file(hashes, path, length) : NULL;
    if (file)
        file->samples += samples;
}

/* "path:line". */
static void note_place(struct source_hashes *hashes, const char *place, size_t length, uint64_t samples)
{
    const char *colon = memrchr(place, ':', length);
    if (colon)
        note_file(hashes, place, (size_t)(colon - place), samples);
}

int source_hashes_note(void *context, const struct profile_record *record)
{
    struct source_hashes *hashes = context;
    if (record->type == PROFILE_SAMPLES) {
        const char *location = record->samples.location, *file = record->samples.file;
        const char *caller = strstr(location, " <- ");
        uint64_t samples = record->samples.count;
        if (file)
            note_file(hashes, file, strlen(file), samples);
        else
            note_place(hashes, location, caller ? (size_t)(caller - location) : strlen(location), samples);
        if (!file && caller)
            note_place(hashes, caller + 4, strlen(caller + 4), samples);
    }
    return hashes->sink(hashes->context, record);
}

/* A source that DWARF tells of; most have no samples. */
static void take_md5(void *context, const char *source, const uint8_t md5[MD5_BYTES])
{
    struct source_hashes *hashes = context;
    for (size_t i = 0; i < hashes->count; i++)
        if (strcmp(hashes->files[i].path, source) == 0)
            md5_hex(md5, hashes->files[i].md5);
}

void source_hashes_ask_modules(struct source_hashes *hashes, const struct segment *segment,
                               const struct scope *scope)
{
    for (int i = 0; hashes->count > 0 && i < SEGMENT_MODULES; i++) {
        const struct segment_module *module = &segment->modules[i];
        if (!module_slot_is_taken(module))
            break; /* none behind it has memory yet */
        if (atomic_load(&module->state) == MODULE_KNOWN && module->row_count)
            debuginfo_find_md5s(module->path, scope, take_md5, hashes);
    }
}

static int compare_files(const void *a, const void *b)
{
    const struct source_samples *x = a, *y = b;
    if (x->samples != y->samples)
        return x->samples > y->samples ? -1 : 1;
    return strcmp(x->path, y->path);
}

static bool was_changed(const struct stat *status, uint64_t since_ns)
{
    return (uint64_t)status->st_mtim.tv_sec * 1000000000u + (uint64_t)status->st_mtim.tv_nsec > since_ns;
}

/* Of the file as it is now; "" if that may not be what the run had. *bytes is what is left to be read. */
static void hash_file(const char *path, uint64_t started_ns, size_t *bytes, char sha256[SHA256_HEX])
{
    struct stat status;
    char *text = *bytes > 0 ? source_read(path, &status) : NULL;
    *sha256 = '\0';
    if (!text)
        return;
    size_t size = strlen(text);
    *bytes -= size < *bytes ? size : *bytes;
    if (!was_changed(&status, started_ns))
        sha256_hex(text, size, sha256);
    free(text);
}

int source_hashes_write(struct source_hashes *hashes, uint64_t started_ns)
{
    size_t bytes = BYTES_MOST;
    int rc = 0;
    if (hashes->count > 0)
        qsort(hashes->files, hashes->count, sizeof *hashes->files, compare_files);
    for (size_t i = 0; i < hashes->count && i < FILES_MOST && rc == 0; i++) {
        const struct source_samples *file = &hashes->files[i];
        char sha256[SHA256_HEX];
        hash_file(file->path, started_ns, &bytes, sha256);
        struct profile_record record = {.type = PROFILE_SOURCE, .source = {file->path, sha256, file->md5}};
        if (*sha256 || *file->md5)
            rc = hashes->sink(hashes->context, &record);
    }
    return rc;
}

void source_hashes_release(struct source_hashes *hashes)
{
    for (size_t i = 0; i < hashes->count; i++)
        free(hashes->files[i].path);
    free(hashes->files);
}
