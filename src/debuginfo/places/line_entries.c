#include "debuginfo/places/line_entries.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "debuginfo/names/site.h"

struct search {
    struct elf_file *elf;
    Dwarf_Addr bias; /* libdwfl's address minus DWARF's */
    const char *file;
    unsigned line;
    struct line_entries *entries;
    struct line_piece *pieces;
    size_t count, room;
};

static bool is_better(const struct line_piece *a, const struct line_piece *b)
{
    if (a->is_in_main_part != b->is_in_main_part)
        return a->is_in_main_part;
    return a->address < b->address;
}

bool line_entries_choose(const struct line_piece *pieces, size_t count, struct entry_list *list)
{
    for (size_t i = 0; i < count; i++) {
        bool is_best = true;
        for (size_t j = 0; j < count && is_best; j++)
            is_best = pieces[j].scope != pieces[i].scope || !is_better(&pieces[j], &pieces[i]);
        if (is_best && !entry_list_add(list, (struct entry){.address = pieces[i].address}))
            return false;
    }
    return true;
}

/* The range of the function that both the address and its entry are in. */
static bool is_in_main_part(Dwarf_Die *scope, Dwarf_Addr address)
{
    Dwarf_Addr entry, base, start, end;
    ptrdiff_t offset = 0;
    if (dwarf_entrypc(scope, &entry) != 0)
        return true;
    while ((offset = dwarf_ranges(scope, offset, &base, &start, &end)) > 0)
        if (entry >= start && entry < end)
            return address >= start && address < end;
    return true;
}

/* The innermost function, or inlined copy of one, at the address. */
static void find_scope(Dwarf_Die *unit, Dwarf_Addr address, struct line_piece *piece)
{
    Dwarf_Die *scopes = NULL;
    int count = dwarf_getscopes(unit, address, &scopes);
    for (int i = 0; i < count; i++) {
        int tag = dwarf_tag(&scopes[i]);
        if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_subprogram)
            continue;
        piece->scope = (uintptr_t)scopes[i].addr;
        piece->is_in_main_part = is_in_main_part(&scopes[i], address);
        break;
    }
    free(scopes);
}

static bool add_piece(struct search *search, Dwarf_Die *unit, Dwarf_Addr address)
{
    struct line_piece piece = {.is_in_main_part = true};
    if (search->count == search->room) {
        void *more = array_grown(search->pieces, &search->room, sizeof *search->pieces);
        if (!more)
            return false;
        search->pieces = more;
    }
    find_scope(unit, address, &piece);
    piece.address = address + search->bias - search->elf->bias;
    search->pieces[search->count++] = piece;
    return true;
}

static void note_line(struct line_entries *entries, unsigned wanted, unsigned line)
{
    if (line < wanted && line > entries->below)
        entries->below = line;
    if (line > wanted && (line < entries->above || entries->above == 0))
        entries->above = line;
}

static bool is_wanted_file(const struct search *search, const char *source)
{
    char wanted[600];
    snprintf(wanted, sizeof wanted, "%s:1", search->file);
    return site_line_matches(source, 1, wanted);
}

/* Whether any of the unit's sources has that name. */
static bool has_file(const struct search *search, Dwarf_Die *unit)
{
    Dwarf_Files *files;
    size_t count;
    if (dwarf_getsrcfiles(unit, &files, &count) != 0)
        return false;
    for (size_t i = 0; i < count; i++) {
        const char *source = dwarf_filesrc(files, i, NULL, NULL);
        if (source && is_wanted_file(search, source))
            return true;
    }
    return false;
}

/* A row begins a piece where the row before it in the same sequence is of another line. */
static bool read_unit(struct search *search, Dwarf_Die *unit, Dwarf_Die *tree)
{
    struct line_entries *entries = search->entries;
    Dwarf_Lines *lines;
    size_t count;
    const char *checked = NULL;
    bool matches = false, was_wanted = false, ok = true;
    if (dwarf_getsrclines(unit, &lines, &count) != 0)
        return true;
    entries->has_lines |= count > 0;
    if (!has_file(search, unit))
        return true;
    for (size_t i = 0; ok && i < count; i++) {
        Dwarf_Line *row = dwarf_onesrcline(lines, i);
        const char *source = dwarf_linesrc(row, NULL, NULL);
        Dwarf_Addr address = 0;
        bool is_statement = false, ends = false;
        int line = 0;
        dwarf_lineaddr(row, &address);
        dwarf_linebeginstatement(row, &is_statement);
        dwarf_lineendsequence(row, &ends);
        dwarf_lineno(row, &line);
        if (source != checked)
            matches = source && is_wanted_file(search, source);
        checked = source;
        /* What the linker discarded was left at 0. */
        bool is_code = matches && !ends && line > 0 && address != 0;
        bool is_wanted = is_code && (unsigned)line == search->line;
        if (is_code && is_statement && !entries->has_file) {
            entries->has_file = true;
            snprintf(entries->source, sizeof entries->source, "%s", source);
        }
        if (is_code && is_statement)
            note_line(entries, search->line, (unsigned)line);
        if (is_wanted && is_statement && !was_wanted)
            ok = add_piece(search, tree, address);
        was_wanted = is_wanted && (is_statement || was_wanted);
    }
    return ok;
}

int line_entries_find(struct elf_file *elf, const char *file, unsigned line, struct line_entries *entries)
{
    struct search search = {.elf = elf, .file = file, .line = line, .entries = entries};
    *entries = (struct line_entries){.has_lines = false};
    Dwarf *dwarf = dwfl_module_getdwarf(elf->module, &search.bias);
    Dwarf_CU *unit = NULL;
    Dwarf_Die die, split;
    bool ok = true;
    while (ok && dwarf && dwarf_get_units(dwarf, unit, &unit, NULL, NULL, &die, &split) == 0)
        if (dwarf_tag(&die) == DW_TAG_compile_unit || dwarf_tag(&die) == DW_TAG_skeleton_unit)
            ok = read_unit(&search, &die, split.addr ? &split : &die);
    ok = ok && line_entries_choose(search.pieces, search.count, &entries->list);
    free(search.pieces);
    return ok ? 0 : -ENOMEM;
}
