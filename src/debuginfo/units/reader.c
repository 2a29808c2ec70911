#include "debuginfo/units/reader.h"
#include "debuginfo/lines/line_header.h"
#include "debuginfo/stacks/inlines.h"

#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>

/* libdw keeps what it has read of a unit until its handle is closed; so a handle is closed after so many
 * bytes of units, and the pages of the file are given back with it. */
enum { HANDLE_BYTES = 1 << 20 };

static void close_handle(struct reader *reader)
{
    struct pool *pool = reader->pool;
    if (!reader->dwarf)
        return;
    pthread_mutex_lock(&pool->opening);
    dwarf_end(reader->dwarf);
    sections_give_back_all(&pool->sections);
    pthread_mutex_unlock(&pool->opening);
    reader->dwarf = NULL;
}

static bool open_handle(struct reader *reader)
{
    if (reader->used > HANDLE_BYTES)
        close_handle(reader);
    if (reader->dwarf)
        return true;
    pthread_mutex_lock(&reader->pool->opening);
    reader->dwarf = dwarf_begin_elf(reader->pool->elf, DWARF_C_READ, NULL);
    pthread_mutex_unlock(&reader->pool->opening);
    reader->used = 0;
    return reader->dwarf;
}

static void warn(struct reader *reader, size_t unit, const char *name, const char *why)
{
    struct warning *warnings =
        array_reserve(reader->warnings, reader->warning_count, &reader->warning_room, sizeof *warnings);
    char *text = NULL;
    if (!warnings || asprintf(&text, "%s: %s", name ? name : "a unit", why) < 0) {
        reader->no_memory = true;
        return;
    }
    reader->warnings = warnings;
    warnings[reader->warning_count++] = (struct warning){.unit = unit, .text = text};
}

/* Where the unit says it has code, as far as that is in executable sections. Units that do not say (some
 * assemblers') may have it anywhere, and so may those of DWARF 2, which can only tell of one section. */
static bool find_unit_code(struct unit *unit, const struct range_list *all)
{
    struct range_list said = {0};
    Dwarf_Addr base, start, end;
    ptrdiff_t next = 0;
    Dwarf_Half version = 0;
    bool ok = true;
    dwarf_cu_info(unit->die.cu, &version, NULL, NULL, NULL, NULL, NULL, NULL);
    while (ok && version != 2 && (next = dwarf_ranges(&unit->die, next, &base, &start, &end)) > 0)
        ok = range_list_add(&said, start + unit->offset, end + unit->offset);
    range_list_sort(&said);
    unit->tells_code = said.count > 0;
    ok = ok && range_list_intersect(said.count ? &said : all, all, &unit->code);
    range_list_release(&said);
    return ok;
}

/* No file of the unit is in scope: it is not worth reading on. Its main file stands for it in the list of
 * what was seen. */
static int pass_over(struct reader *reader, struct unit *unit)
{
    struct stack_builder *stacks = reader->pool->stacks;
    uint32_t source = source_table_add(&reader->sources, dwarf_diename(&unit->die), unit->directory);
    reader->sources.items[source].has_code = true;
    if (!stacks)
        return UNIT_OK;
    bool ok = find_unit_code(unit, reader->pool->code) && stack_builder_add_foreign(stacks, unit);
    return ok ? UNIT_OK : UNIT_NO_MEMORY;
}

static int read_stacks(struct reader *reader, struct unit *unit, size_t number,
                       const struct line_header *header)
{
    uint32_t source = source_table_add(&reader->sources, dwarf_diename(&unit->die), unit->directory);
    reader->sources.items[source].has_code = true;
    return stack_builder_add_unit(reader->pool->stacks, unit, number, header, &reader->sources);
}

static int read_names(struct reader *reader, struct unit *unit, size_t number,
                      const struct line_header *header)
{
    struct place_names *names = reader->pool->names;
    struct range_list code = unit->code;
    unit->code = (struct range_list){0};
    bool ok = range_list_intersect(&code, &names->code, &unit->code);
    range_list_release(&code);
    if (!ok)
        return UNIT_NO_MEMORY;
    if (unit->code.count == 0)
        return UNIT_OK;
    return place_names_add_unit(names, unit, number, header, &reader->sources);
}

/* Returns UNIT_OK, UNIT_NO_MEMORY, or UNIT_BAD and why; then what could be read before stays. */
static int read_code(struct reader *reader, struct unit *unit, size_t number, const char **why)
{
    struct line_header header;
    struct source_table *sources = &reader->sources;
    Dwarf_Attribute attribute;
    Dwarf_Word offset = UINT64_MAX;
    dwarf_formudata(dwarf_attr(&unit->die, DW_AT_stmt_list, &attribute), &offset);
    int result = line_header_read(&header, unit, offset, sources, &unit->files, why);
    if (result != UNIT_OK)
        return result;
    if (!unit->files.any_in_scope)
        return pass_over(reader, unit);
    if (!find_unit_code(unit, reader->pool->code))
        return UNIT_NO_MEMORY;
    *why = "the tree of its functions is broken";
    if (reader->pool->stacks)
        return read_stacks(reader, unit, number, &header);
    if (reader->pool->names)
        return read_names(reader, unit, number, &header);
    result = unit_read_lines(unit, &header, sources, &reader->segments);
    if (result != UNIT_OK)
        *why = "its line program is cut off";
    else if (unit->holes.count > 0)
        result = unit_read_inlines(unit, sources, &reader->segments);
    return result;
}

/* Of a skeleton: it has no other. */
static const char *split_name(Dwarf_Die *die)
{
    Dwarf_Attribute attribute;
    if (!dwarf_attr(die, DW_AT_dwo_name, &attribute) && !dwarf_attr(die, DW_AT_GNU_dwo_name, &attribute))
        return "a .dwo file";
    return dwarf_formstring(&attribute);
}

static void read_unit(struct reader *reader, size_t number)
{
    const struct listed *listed = &reader->pool->units[number];
    struct unit unit = {
        .offset = reader->pool->offset, .sections = &reader->pool->sections, .header = listed->header};
    const char *why = NULL;
    Dwarf_Attribute attribute;
    Dwarf_Die die;
    uint8_t type;
    uint64_t unit_id;
    if (!dwarf_offdie(reader->dwarf, listed->die, &die) ||
        dwarf_cu_info(die.cu, NULL, &type, &unit.die, &unit.tree, &unit_id, NULL, NULL) != 0) {
        warn(reader, number, NULL, dwarf_errmsg(-1));
        return;
    }
    int tag = dwarf_tag(&unit.die);
    if ((tag != DW_TAG_compile_unit && tag != DW_TAG_skeleton_unit) ||
        !dwarf_hasattr(&unit.die, DW_AT_stmt_list))
        return;
    reader->has_lines = true;
    unit.directory = dwarf_formstring(dwarf_attr(&unit.die, DW_AT_comp_dir, &attribute));
    if (type != DW_UT_skeleton)
        unit.tree = unit.die;
    else if (!unit_find_split(&unit, &reader->pool->package, unit_id))
        warn(reader, number, split_name(&unit.die),
             "not found, nor in a .dwp: what was inlined into its lines is not known");
    int result = read_code(reader, &unit, number, &why);
    if (result == UNIT_BAD)
        warn(reader, number, dwarf_diename(&unit.die), why);
    reader->no_memory |= result == UNIT_NO_MEMORY;
    file_map_release(&unit.files);
    range_list_release(&unit.code);
    range_list_release(&unit.holes);
}

void *reader_run(void *context)
{
    struct reader *reader = context;
    struct pool *pool = reader->pool;
    size_t number;
    reader->no_memory = !source_table_init(&reader->sources, pool->scope);
    while (!reader->no_memory && (number = atomic_fetch_add(&pool->next, 1)) < pool->unit_count) {
        if (!open_handle(reader)) {
            reader->no_memory = true;
            break;
        }
        read_unit(reader, number);
        reader->used += pool->units[number].size;
    }
    close_handle(reader);
    return NULL;
}

void reader_release(struct reader *reader)
{
    for (size_t i = 0; i < reader->warning_count; i++)
        free(reader->warnings[i].text);
    free(reader->warnings);
    free(reader->segments.items);
    source_table_release(&reader->sources);
}
