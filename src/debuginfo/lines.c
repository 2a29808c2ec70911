#include "debuginfo/unit.h"

#include <stdlib.h>

int file_map_read(struct file_map *map, const struct unit *unit, Dwarf_Die *die, struct source_table *sources)
{
    Dwarf_Files *files;
    size_t count;
    if (dwarf_getsrcfiles(die, &files, &count) != 0)
        return UNIT_BAD;
    map->sources = calloc(count ? count : 1, sizeof *map->sources);
    if (!map->sources)
        return UNIT_NO_MEMORY;
    map->count = count;
    for (size_t i = 0; i < count; i++) {
        map->sources[i] = source_table_add(sources, dwarf_filesrc(files, i, NULL, NULL), unit->directory);
        map->any_in_scope |= sources->items[map->sources[i]].in_scope;
    }
    return UNIT_OK;
}

void file_map_release(struct file_map *map)
{
    free(map->sources);
    *map = (struct file_map){0};
}

bool segment_list_add(struct segment_list *list, struct segment segment)
{
    struct segment *last = list->count ? &list->items[list->count - 1] : NULL;
    if (last && last->end == segment.start && last->source == segment.source && last->line == segment.line) {
        last->end = segment.end;
        return true;
    }
    struct segment *items = array_reserve(list->items, list->count, &list->room, sizeof *items);
    if (!items)
        return false;
    list->items = items;
    items[list->count++] = segment;
    return true;
}

/* A line table's [start, end) is cut to the unit's code: a function that the linker discarded leaves its rows
 * at address 0 and upwards. at is where in the code the last call ended; rows come sorted. */
static bool add_row(struct unit *unit, size_t *at, struct segment row, uint64_t end, bool in_scope,
                    struct segment_list *out)
{
    const struct range_list *code = &unit->code;
    while (*at < code->count && code->items[*at].end <= row.start)
        ++*at;
    for (size_t i = *at; i < code->count && code->items[i].start < end; i++) {
        const struct range *part = &code->items[i];
        struct segment cut = row;
        cut.start = row.start > part->start ? row.start : part->start;
        cut.end = end < part->end ? (uint32_t)end : part->end;
        if (in_scope ? !segment_list_add(out, cut) : !range_list_add(&unit->holes, cut.start, cut.end))
            return false;
    }
    return true;
}

int unit_read_lines(struct unit *unit, struct source_table *sources, struct segment_list *out)
{
    Dwarf_Lines *lines;
    size_t count, at = 0;
    if (dwarf_getsrclines(&unit->die, &lines, &count) != 0)
        return UNIT_BAD;
    struct segment row = {0}; /* of two rows with the same address the last one counts */
    bool open = false;
    for (size_t i = 0; i < count; i++) {
        Dwarf_Line *line = dwarf_onesrcline(lines, i);
        Dwarf_Addr address = 0;
        bool ends = false;
        dwarf_lineaddr(line, &address);
        dwarf_lineendsequence(line, &ends);
        address += unit->offset;
        if (open && address > row.start) {
            bool in_scope = row.line != 0 && sources->items[row.source].in_scope;
            sources->items[row.source].has_code = true;
            if (!add_row(unit, &at, row, address, in_scope, out))
                return UNIT_NO_MEMORY;
        }
        open = !ends && address < UINT32_MAX;
        if (!open)
            continue;
        Dwarf_Files *files;
        size_t file = 0;
        int number = 0;
        dwarf_lineno(line, &number);
        dwarf_line_file(line, &files, &file);
        row.start = (uint32_t)address;
        row.line = (uint32_t)number;
        row.source = file < unit->files.count ? unit->files.sources[file] : 0;
    }
    range_list_sort(&unit->holes);
    return UNIT_OK;
}
