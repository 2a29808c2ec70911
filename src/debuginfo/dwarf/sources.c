#include "debuginfo/dwarf/sources.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "debuginfo/sets/ranges.h" /* array_reserve */

/* Appends the components of part to path. False when it does not fit. */
static bool append_path(char *path, size_t *length, const char *part)
{
    while (*part) {
        size_t size = strcspn(part, "/");
        if (size == 2 && part[0] == '.' && part[1] == '.') {
            while (*length > 0 && path[--*length] != '/')
                continue;
        } else if (size > 0 && !(size == 1 && part[0] == '.')) {
            if (*length + size + 2 > PATH_MAX)
                return false;
            path[(*length)++] = '/';
            memcpy(path + *length, part, size);
            *length += size;
        }
        part += size;
        part += strspn(part, "/");
    }
    path[*length] = '\0';
    return true;
}

static bool make_path(char *path, const char *name, const char *directory)
{
    size_t length = 0;
    if (!name || !*name)
        return false;
    if (name[0] == '/')
        return append_path(path, &length, name);
    if (directory && directory[0] == '/' && name[0] != '<')
        return append_path(path, &length, directory) && append_path(path, &length, name);
    if (name[0] == '<') {
        length = strlen(name);
        if (length >= PATH_MAX)
            return false;
        memcpy(path, name, length + 1);
        return true;
    }
    /* Built with its own prefix mapped away: relative to the root of its sources. Names in a directory below
     * that already begin with it, only those that lead out of it are relative to it. */
    if (directory && strncmp(name, "../", 3) == 0 && !append_path(path, &length, directory))
        return false;
    if (!append_path(path, &length, name))
        return false;
    memmove(path, path + 1, length);
    return length > 0;
}

static uint32_t hash_path(const char *path)
{
    uint32_t hash = 2166136261u; /* FNV-1a */
    for (; *path; path++)
        hash = (hash ^ (unsigned char)*path) * 16777619u;
    return hash;
}

static bool grow_slots(struct source_table *table)
{
    uint32_t size = table->slots ? (table->slot_mask + 1) * 2 : 256;
    uint32_t *slots = calloc(size, sizeof *slots);
    if (!slots)
        return false;
    for (size_t i = 1; i < table->count; i++) {
        uint32_t at = hash_path(table->items[i].path) & (size - 1);
        while (slots[at])
            at = (at + 1) & (size - 1);
        slots[at] = (uint32_t)i;
    }
    free(table->slots);
    table->slots = slots;
    table->slot_mask = size - 1;
    return true;
}

bool source_table_init(struct source_table *table, const struct scope *scope)
{
    *table = (struct source_table){.scope = scope};
    table->items = array_reserve(NULL, 0, &table->room, sizeof *table->items);
    if (!table->items)
        return false;
    table->items[table->count++] = (struct source){0};
    return grow_slots(table);
}

void source_table_release(struct source_table *table)
{
    for (size_t i = 1; i < table->count; i++)
        free(table->items[i].path);
    free(table->items);
    free(table->slots);
    *table = (struct source_table){0};
}

uint32_t source_table_add(struct source_table *table, const char *name, const char *directory)
{
    char path[PATH_MAX];
    if (!make_path(path, name, directory))
        return 0;
    if (table->count > table->slot_mask / 2 && !grow_slots(table))
        return 0;
    uint32_t at = hash_path(path) & table->slot_mask;
    for (; table->slots[at]; at = (at + 1) & table->slot_mask) {
        if (strcmp(table->items[table->slots[at]].path, path) == 0)
            return table->slots[at];
    }
    struct source *items = array_reserve(table->items, table->count, &table->room, sizeof *items);
    if (!items)
        return 0;
    table->items = items;
    char *copy = strdup(path);
    if (!copy)
        return 0;
    items[table->count] = (struct source){.path = copy, .in_scope = scope_has_source(table->scope, copy)};
    table->slots[at] = (uint32_t)table->count;
    return (uint32_t)table->count++;
}

void source_note_md5(struct source *source, const uint8_t md5[MD5_BYTES])
{
    if (source->md5s == SOURCE_WITHOUT_MD5) {
        source->md5s = SOURCE_WITH_MD5;
        memcpy(source->md5, md5, MD5_BYTES);
    } else if (memcmp(source->md5, md5, MD5_BYTES) != 0) {
        source->md5s = SOURCE_WITH_SEVERAL;
    }
}

static int compare_sources(const void *left, const void *right)
{
    const struct source *a = left, *b = right;
    return strcmp(a->path, b->path);
}

uint32_t *source_table_sort(struct source_table *table)
{
    uint32_t *ranks = calloc(table->count, sizeof *ranks);
    if (!ranks)
        return NULL;
    for (size_t i = 1; i < table->count; i++)
        table->items[i].number = (uint32_t)i;
    qsort(table->items + 1, table->count - 1, sizeof *table->items, compare_sources);
    for (size_t i = 1; i < table->count; i++)
        ranks[table->items[i].number] = (uint32_t)i;
    return ranks;
}

bool source_names_are_sound(const uint32_t *names, size_t count, const char *strings, size_t size)
{
    if (size == 0 || strings[size - 1] != '\0' || strings[0] != '\0')
        return false;
    for (size_t i = 0; i < count; i++)
        if (names[i] >= size || strings[names[i]] == '\0')
            return false;
    return true;
}
