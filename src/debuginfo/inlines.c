#include "debuginfo/unit.h"

#include <dwarf.h>
#include <stdlib.h>

/* Deeper than any compiler nests; a bound for what a broken file could do to our stack. */
enum { DEPTH_LIMIT = 1000 };

/* An inlined subroutine's address range with the in-scope call site nearest to it, outwards. */
struct paint {
    struct segment segment;
    uint32_t order; /* as met in the walk, where an inner one comes after its outer one */
};

struct walk {
    struct unit *unit;
    struct source_table *sources;
    struct file_map files;
    struct paint *paints;
    size_t count;
    size_t room;
    bool no_memory;
};

/* The call site of the inlined subroutine if it is in scope, else the one around it. */
static struct segment call_site(const struct walk *walk, Dwarf_Die *die, struct segment outer)
{
    Dwarf_Attribute attribute;
    Dwarf_Word file = 0, line = 0;
    if (dwarf_formudata(dwarf_attr(die, DW_AT_call_file, &attribute), &file) != 0 ||
        dwarf_formudata(dwarf_attr(die, DW_AT_call_line, &attribute), &line) != 0)
        return outer;
    if (file >= walk->files.count || line == 0 || line > UINT32_MAX)
        return outer;
    uint32_t source = walk->files.sources[file];
    if (!walk->sources->items[source].in_scope)
        return outer;
    return (struct segment){.source = source, .line = (uint32_t)line};
}

static void add_paint(struct walk *walk, uint32_t start, uint32_t end, struct segment site)
{
    struct paint *paints = array_reserve(walk->paints, walk->count, &walk->room, sizeof *paints);
    if (!paints) {
        walk->no_memory = true;
        return;
    }
    walk->paints = paints;
    site.start = start;
    site.end = end;
    paints[walk->count] = (struct paint){.segment = site, .order = (uint32_t)walk->count};
    walk->count++;
}

/* True when the ranges of the die cover some of the holes; they are painted if there is a site. */
static bool cover(struct walk *walk, Dwarf_Die *die, const struct segment *site)
{
    bool covers = false;
    Dwarf_Addr base, start, end;
    ptrdiff_t next = 0;
    while ((next = dwarf_ranges(die, next, &base, &start, &end)) > 0) {
        start += walk->unit->offset;
        end += walk->unit->offset;
        if (end > UINT32_MAX || start >= end ||
            !range_list_overlaps(&walk->unit->holes, (uint32_t)start, (uint32_t)end))
            continue;
        covers = true;
        if (site && site->line)
            add_paint(walk, (uint32_t)start, (uint32_t)end, *site);
    }
    return covers;
}

/* Visits the children of the die. Namespaces, types and blocks are only passed through. */
static void visit_children(struct walk *walk, Dwarf_Die *parent, struct segment outer, int depth)
{
    Dwarf_Die die;
    if (depth > DEPTH_LIMIT || dwarf_child(parent, &die) != 0)
        return;
    do {
        struct segment site = outer;
        switch (dwarf_tag(&die)) {
        case DW_TAG_inlined_subroutine:
            site = call_site(walk, &die, outer);
            if (cover(walk, &die, &site))
                visit_children(walk, &die, site, depth + 1);
            break;
        case DW_TAG_subprogram:
            if (cover(walk, &die, NULL))
                visit_children(walk, &die, (struct segment){0}, depth + 1);
            break;
        case DW_TAG_lexical_block:
        case DW_TAG_try_block:
        case DW_TAG_catch_block:
        case DW_TAG_namespace:
        case DW_TAG_module:
        case DW_TAG_structure_type:
        case DW_TAG_class_type:
        case DW_TAG_union_type:
        case DW_TAG_enumeration_type:
            visit_children(walk, &die, outer, depth + 1);
            break;
        default:
            break;
        }
    } while (!walk->no_memory && dwarf_siblingof(&die, &die) == 0);
}

static int compare_paints(const void *left, const void *right)
{
    const struct paint *a = left, *b = right;
    if (a->segment.start != b->segment.start)
        return a->segment.start < b->segment.start ? -1 : 1;
    return (a->order > b->order) - (a->order < b->order);
}

/* Appends those parts of the holes that lie in the segment. */
static bool fill_holes(const struct range_list *holes, struct segment segment, struct segment_list *out)
{
    for (size_t i = range_list_search(holes, segment.start);
         i < holes->count && holes->items[i].start < segment.end; i++) {
        const struct range *hole = &holes->items[i];
        struct segment part = segment;
        part.start = hole->start > segment.start ? hole->start : segment.start;
        part.end = hole->end < segment.end ? hole->end : segment.end;
        if (!segment_list_add(out, part))
            return false;
    }
    return true;
}

/* Sweeps over the sorted paints. The stack holds those that began and may not have ended, innermost on top.
 */
static bool resolve(const struct walk *walk, struct segment_list *out)
{
    size_t *stack = malloc((walk->count + 1) * sizeof *stack);
    size_t depth = 0;
    uint32_t at = 0;
    if (!stack)
        return false;
    for (size_t i = 0; i <= walk->count; i++) {
        uint32_t next = i < walk->count ? walk->paints[i].segment.start : UINT32_MAX;
        while (depth > 0 && at < next) {
            struct segment top = walk->paints[stack[depth - 1]].segment;
            if (top.end <= at) {
                depth--;
                continue;
            }
            top.start = at;
            top.end = top.end < next ? top.end : next;
            at = top.end;
            if (!fill_holes(&walk->unit->holes, top, out)) {
                free(stack);
                return false;
            }
        }
        at = next;
        stack[depth++] = i;
    }
    free(stack);
    return true;
}

int unit_read_inlines(struct unit *unit, struct source_table *sources, struct segment_list *out)
{
    struct walk walk = {.unit = unit, .sources = sources};
    int result = file_map_read(&walk.files, unit, &unit->tree, sources);
    if (result == UNIT_OK) {
        visit_children(&walk, &unit->tree, (struct segment){0}, 0);
        if (walk.count > 0)
            qsort(walk.paints, walk.count, sizeof *walk.paints, compare_paints);
        if (walk.no_memory || !resolve(&walk, out))
            result = UNIT_NO_MEMORY;
    }
    file_map_release(&walk.files);
    free(walk.paints);
    return result;
}
