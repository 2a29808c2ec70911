#include "debuginfo/unit.h"

#include <dwarf.h>
#include <stdlib.h>

#include "debuginfo/tree.h"

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
static struct segment call_site(const struct walk *walk, const struct tree_entry *entry, struct segment outer)
{
    if (entry->call_file >= walk->files.count || entry->call_line == 0 || entry->call_line > UINT32_MAX)
        return outer;
    uint32_t source = walk->files.sources[entry->call_file];
    if (!walk->sources->items[source].in_scope)
        return outer;
    return (struct segment){.source = source, .line = (uint32_t)entry->call_line};
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

/* One entry's ranges, on their way to the paints. */
struct covering {
    struct walk *walk;
    struct segment site; /* none: line 0 */
    bool covers;
};

static bool cover_range(void *context, struct tree_range range)
{
    struct covering *covering = context;
    struct walk *walk = covering->walk;
    uint64_t start = range.start + walk->unit->offset, end = range.end + walk->unit->offset;
    if (end > UINT32_MAX || start >= end ||
        !range_list_overlaps(&walk->unit->holes, (uint32_t)start, (uint32_t)end))
        return true;
    covering->covers = true;
    if (covering->site.line)
        add_paint(walk, (uint32_t)start, (uint32_t)end, covering->site);
    return !walk->no_memory;
}

/* True when the ranges of the entry cover some of the holes; they are painted if there is a site. */
static bool cover(struct walk *walk, const struct tree *tree, const struct tree_entry *entry,
                  struct segment site)
{
    struct covering covering = {.walk = walk, .site = site};
    tree_ranges(tree, entry, cover_range, &covering);
    return covering.covers;
}

/* Whether functions of their own may lie inside of a function, which must be entered then. */
static bool nests_functions(const struct unit *unit)
{
    Dwarf_Die die = unit->die;
    switch (dwarf_srclang(&die)) {
    case DW_LANG_Ada83:
    case DW_LANG_Ada95:
    case DW_LANG_Fortran77:
    case DW_LANG_Fortran90:
    case DW_LANG_Fortran95:
    case DW_LANG_Fortran03:
    case DW_LANG_Fortran08:
    case DW_LANG_Pascal83:
    case DW_LANG_Modula2:
    case DW_LANG_D:
        return true;
    default:
        return false;
    }
}

/* Visits all entries that cover holes. Namespaces, types and blocks are only passed through. */
static bool visit(struct walk *walk, const struct tree *tree)
{
    struct segment outers[DEPTH_LIMIT] = {0}; /* what is inlined at each depth, or its caller */
    size_t depth = 0;
    bool nests = nests_functions(walk->unit);
    struct cursor at = tree->unit;
    while (at.at < at.end && !walk->no_memory) {
        struct tree_entry entry;
        struct segment site = outers[depth];
        bool enter = false;
        if (!tree_next(tree, &at, &entry))
            return false;
        if (entry.tag == 0) {
            if (depth == 0)
                return true;
            depth--;
            continue;
        }
        if (entry.tag == DW_TAG_inlined_subroutine) {
            site = call_site(walk, &entry, site);
            enter = cover(walk, tree, &entry, site);
        } else if (entry.tag == DW_TAG_subprogram) {
            site = (struct segment){0};
            enter = cover(walk, tree, &entry, site) || nests;
        } else {
            enter = tree_tag_is_scope(entry.tag);
        }
        if (enter && entry.has_children && depth + 1 < DEPTH_LIMIT)
            outers[++depth] = site;
        else if (!tree_skip_children(tree, &at, &entry))
            return false;
    }
    return true;
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
    struct tree tree = {0};
    bool split = unit->tree.cu != unit->die.cu;
    int result = split ? file_map_read(&walk.files, unit, &unit->tree, sources) : UNIT_OK;
    if (!split)
        walk.files = unit->files;
    if (result == UNIT_OK)
        result = tree_open_unit(&tree, unit);
    if (result == UNIT_OK) {
        if (!visit(&walk, &tree))
            result = UNIT_BAD; /* but what was found before stays */
        if (walk.count > 0)
            qsort(walk.paints, walk.count, sizeof *walk.paints, compare_paints);
        if (walk.no_memory || !resolve(&walk, out))
            result = UNIT_NO_MEMORY;
    }
    tree_release(&tree);
    if (split)
        file_map_release(&walk.files);
    free(walk.paints);
    return result;
}
