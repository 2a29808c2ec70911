#include "debuginfo/debuginfo.h"

#include <dwarf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "debuginfo/elf_file.h"
#include "debuginfo/unit.h"

/* Appends a line to the warnings; what does not fit is left out. */
static void warn(struct debuginfo *out, const char *what, const char *why)
{
    size_t used = strlen(out->warnings), room = sizeof out->warnings - used;
    int size = snprintf(out->warnings + used, room, "%s%s: %s", used ? "\n" : "", what ? what : "?", why);
    if (size < 0 || (size_t)size >= room)
        out->warnings[used] = '\0';
}

/* Where the unit says it has code, as far as that is in executable sections. Units that do not say (some
 * assemblers') may have it anywhere. */
static bool find_unit_code(struct unit *unit, const struct range_list *all)
{
    struct range_list said = {0};
    Dwarf_Addr base, start, end;
    ptrdiff_t next = 0;
    bool ok = true;
    while (ok && (next = dwarf_ranges(&unit->die, next, &base, &start, &end)) > 0)
        ok = range_list_add(&said, start + unit->offset, end + unit->offset);
    range_list_sort(&said);
    ok = ok && range_list_intersect(said.count ? &said : all, all, &unit->code);
    range_list_release(&said);
    return ok;
}

/* Returns UNIT_OK, UNIT_NO_MEMORY, or UNIT_BAD, and then *out has what could be read before. */
static int read_unit(struct unit *unit, const struct range_list *code, struct source_table *sources,
                     struct segment_list *out)
{
    int result = file_map_read(&unit->files, unit, &unit->die, sources);
    if (result != UNIT_OK)
        return result;
    if (!unit->files.any_in_scope) {
        /* Not worth reading on; its main file stands for it in the list of what was seen. */
        uint32_t source = source_table_add(sources, dwarf_diename(&unit->die), unit->directory);
        sources->items[source].has_code = true;
        return UNIT_OK;
    }
    if (!find_unit_code(unit, code))
        return UNIT_NO_MEMORY;
    result = unit_read_lines(unit, sources, out);
    if (result == UNIT_OK && unit->holes.count > 0)
        result = unit_read_inlines(unit, sources, out);
    return result;
}

/* Reads all units; true in *any if one had a line table. Returns 0 or -ENOMEM. */
static int read_units(struct elf_file *file, struct source_table *sources, struct segment_list *segments,
                      struct debuginfo *out, bool *any)
{
    uint64_t offset;
    Dwarf *dwarf = elf_file_dwarf(file, &offset);
    Dwarf_CU *cu = NULL;
    struct unit unit = {0};
    Dwarf_Attribute attribute;
    uint8_t type;
    int more = -1;
    if (!dwarf)
        return 0;
    while ((more = dwarf_get_units(dwarf, cu, &cu, NULL, &type, &unit.die, &unit.tree)) == 0) {
        int tag = dwarf_tag(&unit.die);
        if ((tag != DW_TAG_compile_unit && tag != DW_TAG_skeleton_unit) ||
            !dwarf_hasattr(&unit.die, DW_AT_stmt_list))
            continue;
        *any = true;
        unit.offset = offset;
        unit.directory = dwarf_formstring(dwarf_attr(&unit.die, DW_AT_comp_dir, &attribute));
        if (type != DW_UT_skeleton || !unit.tree.addr)
            unit.tree = unit.die;
        int result = read_unit(&unit, &file->code, sources, segments);
        if (result == UNIT_BAD)
            warn(out, dwarf_diename(&unit.die), dwarf_errmsg(-1));
        file_map_release(&unit.files);
        range_list_release(&unit.code);
        range_list_release(&unit.holes);
        if (result == UNIT_NO_MEMORY)
            return -ENOMEM;
    }
    if (more < 0)
        warn(out, "all units from here on", dwarf_errmsg(-1));
    return 0;
}

static int compare_segments(const void *left, const void *right)
{
    const struct segment *a = left, *b = right;
    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    if (a->end != b->end)
        return a->end < b->end ? -1 : 1;
    if (a->source != b->source)
        return a->source < b->source ? -1 : 1;
    return (a->line > b->line) - (a->line < b->line);
}

/* Sorts the segments and gives them their sites. Where two overlap (identical code folded by the linker) the
 * first one keeps the address. */
static int make_rows(struct segment_list *segments, const struct source_table *sources,
                     struct site_set *sites, struct debuginfo *out)
{
    if (segments->count == 0)
        return 0;
    qsort(segments->items, segments->count, sizeof *segments->items, compare_segments);
    out->rows = malloc(segments->count * sizeof *out->rows);
    if (!out->rows)
        return -ENOMEM;
    bool full = false;
    uint32_t done = 0;
    for (size_t i = 0; i < segments->count; i++) {
        const struct segment *segment = &segments->items[i];
        uint32_t start = segment->start > done ? segment->start : done;
        if (start >= segment->end)
            continue;
        done = segment->end;
        uint32_t site = site_intern(sites, sources->items[segment->source].path, segment->line);
        struct site_row *last = out->row_count ? &out->rows[out->row_count - 1] : NULL;
        full |= site == 0;
        if (site == 0)
            continue;
        if (last && last->end == start && last->site == site)
            last->end = segment->end;
        else
            out->rows[out->row_count++] =
                (struct site_row){.start = start, .end = segment->end, .site = site};
    }
    if (full)
        warn(out, "some lines", "there are more than fit");
    return 0;
}

static int list_sources(const struct source_table *sources, struct debuginfo *out)
{
    out->sources = calloc(sources->count, sizeof *out->sources);
    if (!out->sources)
        return -ENOMEM;
    for (size_t i = 1; i < sources->count; i++) {
        if (!sources->items[i].has_code)
            continue;
        out->sources[out->source_count] = strdup(sources->items[i].path);
        if (!out->sources[out->source_count])
            return -ENOMEM;
        out->source_count++;
    }
    return 0;
}

int debuginfo_load_sites(const char *path, const struct scope *scope, struct site_set *sites,
                         struct debuginfo *out, struct coz_error *err)
{
    struct elf_file file;
    struct source_table sources = {0};
    struct segment_list segments = {0};
    bool any = false;
    int result = elf_file_open(&file, path, err);
    if (result == 0) {
        if (!source_table_init(&sources, scope))
            result = -ENOMEM;
        if (result == 0)
            result = read_units(&file, &sources, &segments, out, &any);
        if (result == 0)
            result = make_rows(&segments, &sources, sites, out);
        if (result == 0)
            result = list_sources(&sources, out);
        if (result)
            error_set(err, ENOMEM, "%s: out of memory for its debug information", path);
    }
    out->status = !any ? DEBUGINFO_NO_LINES : out->row_count ? DEBUGINFO_OK : DEBUGINFO_OUT_OF_SCOPE;
    free(segments.items);
    source_table_release(&sources);
    elf_file_close(&file);
    return result;
}

void debuginfo_release(struct debuginfo *info)
{
    free(info->rows);
    free(info->unwind);
    for (size_t i = 0; i < info->source_count; i++)
        free(info->sources[i]);
    free(info->sources);
    *info = (struct debuginfo){0};
}
