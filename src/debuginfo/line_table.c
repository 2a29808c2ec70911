#include "debuginfo/line_table.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "debuginfo/cache/cache.h"
#include "debuginfo/sets/checksum.h"

enum { NO_SITE = 0 };

/* The strings of all sources that have code: an offset for each source, 0 for the others. */
static uint32_t *add_strings(struct line_table *table, const struct source_table *sources)
{
    uint32_t *offsets = calloc(sources->count, sizeof *offsets);
    size_t size = 1;
    for (size_t i = 1; i < sources->count; i++)
        size +=
            sources->items[i].has_code || sources->items[i].in_scope ? strlen(sources->items[i].path) + 1 : 0;
    table->strings = size < UINT32_MAX ? calloc(1, size) : NULL;
    table->sources = calloc(sources->count, sizeof *table->sources);
    if (!offsets || !table->strings || !table->sources) {
        free(offsets);
        return NULL;
    }
    table->string_size = 1;
    for (size_t i = 1; i < sources->count; i++) {
        const struct source *source = &sources->items[i];
        if (!source->has_code && !source->in_scope)
            continue;
        offsets[i] = (uint32_t)table->string_size;
        strcpy(table->strings + table->string_size, source->path);
        table->string_size += strlen(source->path) + 1;
        if (source->has_code)
            table->sources[table->source_count++] = offsets[i];
    }
    return offsets;
}

/* Open addressing; 0 is an empty slot. */
struct site_index {
    uint32_t *slots;
    size_t size;
    size_t room; /* for sites */
};

static bool index_grow(struct site_index *index, const struct line_table *table)
{
    size_t size = index->size ? index->size * 2 : 1024;
    uint32_t *slots = calloc(size, sizeof *slots);
    if (!slots)
        return false;
    free(index->slots);
    *index = (struct site_index){.slots = slots, .size = size, .room = index->room};
    for (uint32_t id = 1; id < table->site_count; id++) {
        size_t at = checksum_word(table->sites[id].file, table->sites[id].line) & (size - 1);
        while (slots[at])
            at = (at + 1) & (size - 1);
        slots[at] = id;
    }
    return true;
}

/* NO_SITE when memory is out. */
static uint32_t add_site(struct line_table *table, struct site_index *index, uint32_t file, uint32_t line)
{
    if (table->site_count >= index->size / 2 && !index_grow(index, table))
        return NO_SITE;
    size_t at = checksum_word(file, line) & (index->size - 1);
    for (; index->slots[at]; at = (at + 1) & (index->size - 1)) {
        const struct line_site *known = &table->sites[index->slots[at]];
        if (known->file == file && known->line == line)
            return index->slots[at];
    }
    struct line_site *sites = array_reserve(table->sites, table->site_count, &index->room, sizeof *sites);
    if (!sites)
        return NO_SITE;
    table->sites = sites;
    sites[table->site_count] = (struct line_site){.file = file, .line = line};
    index->slots[at] = (uint32_t)table->site_count;
    return (uint32_t)table->site_count++;
}

_Static_assert(sizeof(struct site_row) <= sizeof(struct line_range), "rows are made where the segments are");

/* Where two segments overlap (identical code folded by the linker) the first one keeps the address. A row is
 * never behind its segment, so the rows can be written over them. */
static bool make_rows(struct line_table *table, struct line_range_list *segments, const uint32_t *strings)
{
    struct site_index index = {0};
    unsigned char *rows = (unsigned char *)segments->items;
    struct site_row last = {0};
    uint32_t done = 0;
    bool ok = true;
    for (size_t i = 0; ok && i < segments->count; i++) {
        struct line_range segment = segments->items[i];
        uint32_t start = segment.start > done ? segment.start : done;
        if (start >= segment.end)
            continue;
        done = segment.end;
        uint32_t site = add_site(table, &index, strings[segment.source], segment.line);
        ok = site != NO_SITE;
        bool joins = last.end == start && last.site == site;
        last = (struct site_row){.start = joins ? last.start : start, .end = segment.end, .site = site};
        table->row_count += !joins;
        memcpy(rows + (table->row_count - 1) * sizeof last, &last, sizeof last);
    }
    free(index.slots);
    return ok;
}

struct numbered_site {
    struct line_site site;
    uint32_t number;
};

static int compare_sites(const void *a, const void *b)
{
    const struct line_site *x = a, *y = b;
    if (x->file != y->file)
        return x->file < y->file ? -1 : 1;
    return (x->line > y->line) - (x->line < y->line);
}

/* Sorts the sites, so that who takes them into a site_set need not look for any of them there. */
static bool sort_sites(struct line_table *table)
{
    struct numbered_site *sorted = calloc(table->site_count, sizeof *sorted);
    uint32_t *numbers = calloc(table->site_count, sizeof *numbers);
    bool ok = sorted && numbers;
    for (uint32_t i = 0; ok && i < table->site_count; i++)
        sorted[i] = (struct numbered_site){table->sites[i], i};
    if (ok)
        qsort(sorted + 1, table->site_count - 1, sizeof *sorted, compare_sites);
    for (uint32_t i = 0; ok && i < table->site_count; i++) {
        table->sites[i] = sorted[i].site;
        numbers[sorted[i].number] = i;
    }
    for (size_t i = 0; ok && i < table->row_count; i++)
        table->rows[i].site = numbers[table->rows[i].site];
    free(sorted);
    free(numbers);
    return ok;
}

int line_table_make(struct line_table *table, struct units *units)
{
    size_t room = 0;
    *table = (struct line_table){.has_lines = units->has_lines};
    memcpy(table->warnings, units->warnings, sizeof table->warnings);
    uint32_t *strings = add_strings(table, &units->sources);
    table->sites = array_reserve(NULL, 0, &room, sizeof *table->sites);
    table->site_count = table->sites ? 1 : 0;
    bool ok = strings && table->sites;
    if (ok) {
        table->sites[0] = (struct line_site){0};
        ok = make_rows(table, &units->segments, strings);
    }
    free(strings);
    /* Even a block that shrinks to nothing is one of its own. */
    table->rows = realloc(units->segments.items, (table->row_count + 1) * sizeof *table->rows);
    if (table->rows)
        units->segments = (struct line_range_list){0};
    return ok && table->rows && sort_sites(table) ? 0 : -ENOMEM;
}

bool line_table_is_sound(const struct line_table *table)
{
    if (!source_names_are_sound(table->sources, table->source_count, table->strings, table->string_size) ||
        table->site_count == 0 || memchr(table->warnings, 0, sizeof table->warnings) == NULL)
        return false;
    for (size_t i = 0; i < table->site_count; i++)
        if (table->sites[i].file >= table->string_size || (i > 0 && table->sites[i].line == 0))
            return false;
    return site_rows_are_sound(table->rows, table->row_count, table->site_count);
}

void line_table_release(struct line_table *table)
{
    void *const arrays[] = {table->rows, table->sites, table->sources, table->strings};
    cache_free(table->block, arrays, sizeof arrays / sizeof *arrays);
    *table = (struct line_table){0};
}
