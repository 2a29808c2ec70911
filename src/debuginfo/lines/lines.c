#include "debuginfo/lines/lines.h"

#include <dwarf.h>
#include <stdlib.h>

int file_map_read(struct file_map *map, const struct unit *unit, struct source_table *sources)
{
    struct unit split = *unit;
    struct line_header header;
    Dwarf_Attribute attribute;
    Dwarf_Word offset = 0; /* the only one, where it does not say */
    const char *why;
    split.sections = &unit->split;
    if (split.tree.cu != split.die.cu)
        dwarf_formudata(dwarf_attr(&split.tree, DW_AT_stmt_list, &attribute), &offset);
    return line_header_read(&header, &split, offset, sources, map, &why);
}

void file_map_release(struct file_map *map)
{
    free(map->sources);
    *map = (struct file_map){0};
}

bool line_range_list_add(struct line_range_list *list, struct line_range segment)
{
    struct line_range *last = list->count ? &list->items[list->count - 1] : NULL;
    if (last && last->end == segment.start && last->source == segment.source && last->line == segment.line) {
        last->end = segment.end;
        return true;
    }
    struct line_range *items = array_reserve(list->items, list->count, &list->room, sizeof *items);
    if (!items)
        return false;
    list->items = items;
    items[list->count++] = segment;
    return true;
}

/* A unit's line program on its way. */
struct machine {
    struct unit *unit;
    struct source_table *sources;
    struct line_range_list *out;
    uint64_t address; /* the registers */
    uint64_t file;
    uint64_t line;
    /* The last row, of which the end is not known yet; of those at one address the last. */
    struct line_range row;
    bool open;
    bool no_memory;
};

/* A row's [start, end) is cut to the unit's code: a function that the linker discarded leaves its rows at
 * address 0 and upwards. */
static bool add_row(struct machine *machine, struct line_range row, uint64_t end)
{
    const struct range_list *code = &machine->unit->code;
    struct source *source = &machine->sources->items[row.source];
    bool in_scope = row.line != 0 && (source->in_scope || machine->unit->keeps_all_lines);
    source->has_code = true;
    for (size_t i = range_list_search(code, row.start); i < code->count && code->items[i].start < end; i++) {
        const struct range *part = &code->items[i];
        struct line_range cut = row;
        cut.start = row.start > part->start ? row.start : part->start;
        cut.end = end < part->end ? (uint32_t)end : part->end;
        if (in_scope ? !line_range_list_add(machine->out, cut)
                     : !range_list_add(&machine->unit->holes, cut.start, cut.end))
            return false;
    }
    return true;
}

/* Appends a row to the matrix, as the standard puts it: the row before lasts up to here. */
static void emit(struct machine *machine, bool ends)
{
    uint64_t address = machine->address + machine->unit->offset;
    if (machine->open && address > machine->row.start && !add_row(machine, machine->row, address))
        machine->no_memory = true;
    machine->open = !ends && address < UINT32_MAX;
    const struct file_map *files = &machine->unit->files;
    machine->row = (struct line_range){
        .start = (uint32_t)address,
        .line = machine->line < UINT32_MAX ? (uint32_t)machine->line : 0,
        .source = machine->file < files->count ? files->sources[machine->file] : 0,
    };
}

static void begin_sequence(struct machine *machine)
{
    machine->address = 0;
    machine->file = 1;
    machine->line = 1;
    machine->open = false;
}

static void run_extended(struct machine *machine, const struct line_header *header, struct cursor *at)
{
    uint64_t length = cursor_uleb(at);
    struct cursor operands = *at;
    cursor_skip(at, length);
    operands.end = at->at;
    switch (length ? cursor_number(&operands, 1) : 0) {
    case DW_LNE_end_sequence:
        emit(machine, true);
        begin_sequence(machine);
        break;
    case DW_LNE_set_address:
        if (length - 1 <= sizeof(uint64_t) && length > 1)
            machine->address = cursor_number(&operands, length - 1);
        break;
    default: /* discriminators, and files that no compiler defines here */
        break;
    }
    (void)header;
}

static void run_standard(struct machine *machine, const struct line_header *header, struct cursor *at,
                         unsigned opcode)
{
    switch (opcode) {
    case DW_LNS_copy:
        emit(machine, false);
        break;
    case DW_LNS_advance_pc:
        machine->address += cursor_uleb(at) * header->least_length;
        break;
    case DW_LNS_advance_line:
        machine->line = (uint32_t)(machine->line + (uint64_t)cursor_sleb(at));
        break;
    case DW_LNS_set_file:
        machine->file = cursor_uleb(at);
        break;
    case DW_LNS_const_add_pc:
        machine->address += (255u - header->opcode_base) / header->line_range * header->least_length;
        break;
    case DW_LNS_fixed_advance_pc:
        machine->address += cursor_number(at, 2);
        break;
    default:
        for (unsigned i = header->opcode_lengths[opcode - 1]; i > 0; i--)
            cursor_uleb(at);
    }
}

static int run(struct machine *machine, const struct line_header *header)
{
    struct cursor at = header->program;
    begin_sequence(machine);
    while (at.at < at.end && !machine->no_memory) {
        unsigned opcode = *at.at++;
        if (opcode >= header->opcode_base) {
            unsigned step = opcode - header->opcode_base;
            machine->address += step / header->line_range * header->least_length;
            machine->line =
                (uint32_t)(machine->line + (uint64_t)(header->line_base + (int)(step % header->line_range)));
            emit(machine, false);
        } else if (opcode == 0) {
            run_extended(machine, header, &at);
        } else {
            run_standard(machine, header, &at, opcode);
        }
    }
    return machine->no_memory ? UNIT_NO_MEMORY : at.bad ? UNIT_BAD : UNIT_OK;
}

int unit_read_lines(struct unit *unit, const struct line_header *header, struct source_table *sources,
                    struct line_range_list *out)
{
    struct machine machine = {.unit = unit, .sources = sources, .out = out};
    int result = run(&machine, header);
    range_list_sort(&unit->holes);
    return result;
}
