#include "debuginfo/site.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "debuginfo/function_name.h"

/* Open addressing over indices that start at 1; 0 is an empty slot. */
struct table {
    uint32_t *slots;
    uint32_t mask; /* slots - 1, slots is a power of two; 0 before the first growth */
};

struct index {
    struct table by_line; /* hash of interned file name and line -> site id */
    struct table by_file; /* hash of file name -> number of the name */
    char **files;         /* of files and functions; files[0] is unused */
    uint32_t file_count;
    uint32_t file_room;
    uint32_t site_room;
};

static uint64_t mix(uint64_t value)
{
    value ^= value >> 32;
    value *= 0x9e3779b97f4a7c15u;
    return value ^ value >> 29;
}

static uint32_t hash_name(const char *name)
{
    uint64_t hash = 0, word;
    size_t left = strlen(name);
    for (; left >= sizeof word; left -= sizeof word, name += sizeof word) {
        memcpy(&word, name, sizeof word);
        hash = mix(hash + word);
    }
    word = left;
    memcpy(&word, name, left);
    return (uint32_t)mix(hash + word + left);
}

static uint32_t hash_line(const char *file, uint32_t line)
{
    return (uint32_t)mix(mix((uintptr_t)file) + line);
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

/* Room for one more than count entries, at most half full. True when the caller must insert all anew. */
static bool table_reserve(struct table *table, uint32_t count, bool *failed)
{
    uint32_t size = table->slots ? table->mask + 1 : 0;
    if (size / 2 > count)
        return false;
    for (size = size ? size * 2 : 256; size / 2 <= count && size < 1u << 30;)
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
    index->site_room = 1;
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
    table_insert(&index->by_file, hash, index->file_count);
    return copy;
}

static bool reserve_site(struct site_set *set, struct index *index)
{
    if (set->count < index->site_room)
        return true;
    uint32_t room = index->site_room < 64 ? 64 : index->site_room * 2;
    struct site *sites = room > index->site_room ? realloc(set->sites, room * sizeof *sites) : NULL;
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

static bool reserve_lines(struct site_set *set, struct index *index, uint32_t count)
{
    bool failed = false;
    if (table_reserve(&index->by_line, count, &failed)) {
        for (uint32_t id = 1; id < set->count; id++)
            table_insert(&index->by_line, hash_site(set, id), id);
    }
    return !failed;
}

void site_set_reserve(struct site_set *set, uint32_t count)
{
    if (set->index && (!set->limit || set->count + count < set->limit))
        reserve_lines(set, set->index, set->count + count);
}

uint32_t site_intern_in(struct site_set *set, const char **own, const char *file, uint32_t line)
{
    struct index *index = set->index;
    if (!*own)
        *own = index ? intern_file(index, file) : NULL;
    const char *name = *own;
    if (!name || !reserve_lines(set, index, set->count))
        return 0;
    uint32_t hash = hash_line(name, line);
    for (uint32_t at = hash & index->by_line.mask; index->by_line.slots[at];
         at = (at + 1) & index->by_line.mask) {
        const struct site *known = &set->sites[index->by_line.slots[at]];
        if (known->file == name && known->line == line)
            return index->by_line.slots[at];
    }
    if ((set->limit && set->count >= set->limit) || !reserve_site(set, index))
        return 0;
    uint32_t id = set->count++;
    set->sites[id] = (struct site){.file = name, .line = line};
    table_insert(&index->by_line, hash, id);
    return id;
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

uint32_t site_intern_function(struct site_set *set, const char *name, const char *file)
{
    const char *own = NULL;
    struct index *index = set->index;
    if (!index || !reserve_declared(set, index))
        return 0;
    uint32_t before = set->count, id = site_intern_in(set, &own, name, 0);
    if (id == before) {
        const char *declared = *file ? intern_file(index, file) : NULL;
        set->declared[id] = declared ? declared : "";
    }
    return id;
}

/* Is the first size characters of name a trailing part of path that begins at a '/'? */
static bool is_trailing_part(const char *path, const char *name, size_t size)
{
    size_t length = strlen(path);
    if (size == 0 || size > length || memcmp(path + length - size, name, size) != 0)
        return false;
    return size == length || name[0] == '/' || path[length - size - 1] == '/';
}

bool site_line_matches(const char *file, uint32_t line, const char *file_line)
{
    const char *colon = strrchr(file_line, ':');
    return colon && colon[1] >= '0' && colon[1] <= '9' && strtoul(colon + 1, NULL, 10) == line &&
           is_trailing_part(file, file_line, (size_t)(colon - file_line));
}

uint32_t site_find(const struct site_set *set, const char *file_line, uint32_t *nearest)
{
    uint32_t closest = 0, gap = UINT32_MAX;
    if (nearest)
        *nearest = 0;
    const char *colon = strrchr(file_line, ':');
    if (!colon || colon[1] < '0' || colon[1] > '9')
        return 0;
    char *end;
    unsigned long line = strtoul(colon + 1, &end, 10);
    if (*end || line > UINT32_MAX)
        return 0;
    const char *checked = NULL; /* names are interned and neighbours mostly share one: compare each once */
    bool matches = false;
    for (uint32_t id = 1; id < set->count; id++) {
        const struct site *site = &set->sites[id];
        if (site->line == 0)
            continue;
        if (site->file != checked) {
            checked = site->file;
            matches = is_trailing_part(site->file, file_line, (size_t)(colon - file_line));
        }
        if (!matches)
            continue;
        if (site->line == line)
            return id;
        uint32_t away = site->line > line ? site->line - (uint32_t)line : (uint32_t)line - site->line;
        if (away < gap || (away == gap && site->line > line)) {
            gap = away;
            closest = id;
        }
    }
    if (nearest)
        *nearest = closest;
    return 0;
}

uint32_t site_find_function(const struct site_set *set, const char *name)
{
    const struct index *index = set->index;
    if (!index || !index->by_file.slots || !index->by_line.slots)
        return 0;
    const char *own = NULL;
    for (uint32_t at = hash_name(name) & index->by_file.mask; !own && index->by_file.slots[at];
         at = (at + 1) & index->by_file.mask)
        if (strcmp(index->files[index->by_file.slots[at]], name) == 0)
            own = index->files[index->by_file.slots[at]];
    for (uint32_t at = hash_line(own, 0) & index->by_line.mask; own && index->by_line.slots[at];
         at = (at + 1) & index->by_line.mask) {
        const struct site *site = &set->sites[index->by_line.slots[at]];
        if (site->file == own && site->line == 0)
            return index->by_line.slots[at];
    }
    return 0;
}

/* Keeps the nearest `most` so far, the nearest first. */
static void note_near(uint32_t *ids, size_t *distances, size_t *count, size_t most, uint32_t id,
                      size_t distance)
{
    size_t at = *count < most ? (*count)++ : most - 1;
    if (*count == most && at == most - 1 && ids[at] && distances[at] <= distance)
        return;
    for (; at > 0 && distances[at - 1] > distance; at--) {
        ids[at] = ids[at - 1];
        distances[at] = distances[at - 1];
    }
    ids[at] = id;
    distances[at] = distance;
}

/* Those with less than half of their characters changed. */
static size_t find_near(const struct site_set *set, const char *wanted, uint32_t *ids, size_t most)
{
    size_t distances[SITE_NEAREST] = {0}, count = 0;
    most = most < SITE_NEAREST ? most : SITE_NEAREST;
    memset(ids, 0, most * sizeof *ids);
    for (uint32_t id = 1; id < set->count; id++) {
        if (set->sites[id].line != 0)
            continue;
        size_t distance = function_name_distance(set->sites[id].file, wanted);
        if (2 * distance < strlen(wanted))
            note_near(ids, distances, &count, most, id, distance);
    }
    return count;
}

size_t site_find_functions(const struct site_set *set, const char *wanted, uint32_t *ids, size_t most,
                           size_t *nearest)
{
    int best = 1;
    size_t count = 0;
    for (uint32_t id = 1; id < set->count; id++) {
        int match = set->sites[id].line == 0 ? function_name_match(set->sites[id].file, wanted) : 0;
        if (match < best)
            continue;
        if (match > best)
            count = 0;
        best = match;
        if (count < most)
            ids[count] = id;
        count++;
    }
    *nearest = count ? 0 : find_near(set, wanted, ids, most);
    return count;
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
