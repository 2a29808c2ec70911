#include "debuginfo/names/site.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

/* Open addressing over indices that start at 1; 0 is an empty slot. */
struct table {
    uint32_t *slots;
    uint32_t mask; /* slots - 1, slots is a power of two; 0 before the first growth */
};

struct index {
    struct table by_line; /* hash of interned file name and line -> site id */
    struct table by_file; /* hash of file name -> number of the name */
    uint32_t hashed;      /* sites from this one on are not in by_line: nobody has looked for one yet */
    const char *newest;   /* of the names, the one that came last */
    uint32_t newest_line; /* it has sites up to here, so that one beyond is new without a look */
    char **files;         /* of files and functions; files[0] is unused */
    uint32_t file_count;
    uint32_t file_room;
    uint32_t site_room;
};

static uint32_t hash_name(const char *name)
{
    uint64_t hash = 0, word;
    size_t left = strlen(name);
    for (; left >= sizeof word; left -= sizeof word, name += sizeof word) {
        memcpy(&word, name, sizeof word);
        hash = hash_mix(hash + word);
    }
    word = left;
    memcpy(&word, name, left);
    return (uint32_t)hash_mix(hash + word + left);
}

static uint32_t hash_line(const char *file, uint32_t line)
{
    return (uint32_t)hash_mix(hash_mix((uintptr_t)file) + line);
}

static uint32_t hash_site(const struct site_set *set, uint32_t id)
{
    return hash_line(set->sites[id].file, set->sites[id].line);
}

static void table_insert(struct table *table, uint32_t hash, uint32_t number)
{
    uint32_t at = hash & table->mask;
    while (table->slots[at])
        at = (at + 1) & table->mask;
    table->slots[at] = number;
}

/* Room for one more than count entries, at most three quarters full. True when the caller must insert all
 * anew. */
static bool table_reserve(struct table *table, uint32_t count, bool *failed)
{
    uint32_t size = table->slots ? table->mask + 1 : 0;
    if (size / 4 * 3 > count)
        return false;
    for (size = size ? size * 2 : 256; size / 4 * 3 <= count && size < 1u << 30;)
        size *= 2;
    uint32_t *slots = calloc(size, sizeof *slots);
    *failed = !slots;
    if (!slots)
        return false;
    free(table->slots);
    table->slots = slots;
    table->mask = size - 1;
    return true;
}

void site_set_init(struct site_set *set, uint32_t limit)
{
    *set = (struct site_set){.limit = limit};
    set->sites = calloc(1, sizeof *set->sites);
    struct index *index = calloc(1, sizeof *index);
    if (!set->sites || !index) {
        free(set->sites);
        free(index);
        set->sites = NULL;
        return; /* without an index every site_intern() fails */
    }
    index->site_room = index->hashed = 1;
    set->index = index;
    set->count = 1;
}

void site_set_release(struct site_set *set)
{
    struct index *index = set->index;
    if (index) {
        for (uint32_t i = 1; i <= index->file_count; i++)
            free(index->files[i]);
        free(index->files);
        free(index->by_file.slots);
        free(index->by_line.slots);
        free(index);
    }
    free(set->sites);
    free(set->declared);
    *set = (struct site_set){0};
}

/* The set's own copy of the name; NULL when memory is out. */
static const char *intern_file(struct index *index, const char *file)
{
    bool failed = false;
    if (table_reserve(&index->by_file, index->file_count, &failed)) {
        for (uint32_t i = 1; i <= index->file_count; i++)
            table_insert(&index->by_file, hash_name(index->files[i]), i);
    }
    if (failed)
        return NULL;
    uint32_t hash = hash_name(file);
    for (uint32_t at = hash & index->by_file.mask; index->by_file.slots[at];
         at = (at + 1) & index->by_file.mask) {
        const char *known = index->files[index->by_file.slots[at]];
        if (strcmp(known, file) == 0)
            return known;
    }
    if (index->file_count + 1 >= index->file_room) {
        uint32_t room = index->file_room ? index->file_room * 2 : 64;
        char **files = realloc(index->files, room * sizeof *files);
        if (!files)
            return NULL;
        index->files = files;
        index->file_room = room;
    }
    char *copy = strdup(file);
    if (!copy)
        return NULL;
    index->files[++index->file_count] = copy;
    index->newest = copy;
    index->newest_line = 0;
    table_insert(&index->by_file, hash, index->file_count);
    return copy;
}

static bool reserve_sites(struct site_set *set, struct index *index, uint32_t room)
{
    if (room <= index->site_room)
        return true;
    struct site *sites = realloc(set->sites, room * sizeof *sites);
    if (!sites)
        return false;
    set->sites = sites;
    if (set->declared) {
        const char **declared = realloc(set->declared, room * sizeof *declared);
        if (!declared)
            return false; /* the sites have room that is not used */
        set->declared = declared;
    }
    index->site_room = room;
    return true;
}

static bool reserve_site(struct site_set *set, struct index *index)
{
    uint32_t room = index->site_room < 32 ? 64 : index->site_room * 2;
    return set->count < index->site_room || (room > index->site_room && reserve_sites(set, index, room));
}

void site_set_reserve(struct site_set *set, uint32_t count)
{
    if (set->index && (!set->limit || set->count + count < set->limit))
        reserve_sites(set, set->index, set->count + count);
}

/* Most sites of a run are never looked for, and a program's start is no time to hash them. */
static bool hash_new_sites(const struct site_set *set, struct index *index)
{
    bool failed = false;
    if (table_reserve(&index->by_line, set->count, &failed))
        index->hashed = 1;
    if (failed)
        return false;
    for (; index->hashed < set->count; index->hashed++)
        table_insert(&index->by_line, hash_site(set, index->hashed), index->hashed);
    return true;
}

/* The id of the site; 0 if there is none. name: the set's own copy. */
static uint32_t find_hashed(const struct site_set *set, const char *name, uint32_t line)
{
    const struct index *index = set->index;
    for (uint32_t at = hash_line(name, line) & index->by_line.mask; index->by_line.slots[at];
         at = (at + 1) & index->by_line.mask) {
        const struct site *known = &set->sites[index->by_line.slots[at]];
        if (known->file == name && known->line == line)
            return index->by_line.slots[at];
    }
    return 0;
}

uint32_t site_intern_in(struct site_set *set, const char **own, const char *file, uint32_t line)
{
    struct index *index = set->index;
    if (!*own)
        *own = index ? intern_file(index, file) : NULL;
    const char *name = *own;
    if (!name)
        return 0;
    if (name != index->newest || line <= index->newest_line) {
        if (!hash_new_sites(set, index))
            return 0;
        uint32_t known = find_hashed(set, name, line);
        if (known)
            return known;
    }
    if (set->limit && set->count >= set->limit) {
        set->refused++;
        return 0;
    }
    if (!reserve_site(set, index))
        return 0;
    set->sites[set->count] = (struct site){.file = name, .line = line};
    if (name == index->newest && line > index->newest_line)
        index->newest_line = line;
    return set->count++;
}

uint32_t site_intern(struct site_set *set, const char *file, uint32_t line)
{
    const char *own = NULL;
    return site_intern_in(set, &own, file, line);
}

/* The array beside the sites, made when the first function comes. */
static bool reserve_declared(struct site_set *set, const struct index *index)
{
    if (!set->declared)
        set->declared = calloc(index->site_room, sizeof *set->declared);
    return set->declared;
}

static uint32_t intern_named(struct site_set *set, const char *name, const char *file)
{
    const char *own = NULL;
    uint32_t before = set->count, id = site_intern_in(set, &own, name, 0);
    if (id == before) {
        const char *declared = *file ? intern_file(set->index, file) : NULL;
        set->declared[id] = declared ? declared : "";
    }
    return id;
}

uint32_t site_intern_function(struct site_set *set, const char *name, const char *file)
{
    struct index *index = set->index;
    if (!index || !reserve_declared(set, index))
        return 0;
    uint32_t id = intern_named(set, name, file);
    if (!id || !*file || !*set->declared[id] || strcmp(set->declared[id], file) == 0)
        return id;
    const char *slash = strrchr(file, '/'), *base = slash ? slash + 1 : file;
    size_t length = strlen(base);
    if (strncmp(name, base, length) == 0 && name[length] == ':')
        return id; /* it has it already: two files of one name */
    char *longer;
    if (asprintf(&longer, "%s:%s", base, name) < 0)
        return id;
    id = intern_named(set, longer, file);
    free(longer);
    return id;
}

uint32_t site_find_function(const struct site_set *set, const char *name)
{
    struct index *index = set->index;
    if (!index || !index->by_file.slots || !hash_new_sites(set, index))
        return 0;
    for (uint32_t at = hash_name(name) & index->by_file.mask; index->by_file.slots[at];
         at = (at + 1) & index->by_file.mask) {
        const char *known = index->files[index->by_file.slots[at]];
        if (strcmp(known, name) == 0)
            return find_hashed(set, known, 0);
    }
    return 0;
}

const char *site_name(const struct site_set *set, uint32_t id, char *buffer, size_t size)
{
    if (id == 0 || id >= set->count)
        snprintf(buffer, size, "?");
    else if (set->sites[id].line == 0)
        snprintf(buffer, size, "%s", set->sites[id].file);
    else
        snprintf(buffer, size, "%s:%u", set->sites[id].file, (unsigned)set->sites[id].line);
    return buffer;
}
