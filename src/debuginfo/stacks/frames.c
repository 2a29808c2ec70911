#include "debuginfo/stacks/frames.h"

#include <dwarf.h>
#include <stdlib.h>

#include "debuginfo/dwarf/tree.h"
#include "debuginfo/lines/lines.h"

/* Deeper than any compiler nests; a bound for what a broken file could do to our stack. */
enum { DEPTH_LIMIT = 1000 };

struct walk {
    struct unit *unit;
    const struct range_list *wanted;
    struct frames *frames;
    struct file_map files;
    struct range_list covered;                              /* by functions with code of their own */
    bool (*function)(void *context, struct frames *frames); /* NULL: all are kept */
    void *context;
    size_t top; /* 1 + depth of the outermost function with code of its own; 0: in none */
    bool no_memory;
};

static uint32_t add_entry(struct walk *walk, struct frame_entry entry)
{
    struct frames *frames = walk->frames;
    if (frames->count == 0)
        frames->count = 1;
    struct frame_entry *entries =
        array_reserve(frames->entries, frames->count, &frames->room, sizeof *entries);
    if (!entries || frames->count == UINT32_MAX) {
        walk->no_memory = true;
        return 0;
    }
    frames->entries = entries;
    entries[frames->count] = entry;
    return (uint32_t)frames->count++;
}

/* One entry's ranges, on their way to the covers. */
struct covering {
    struct walk *walk;
    struct frame_entry entry;
    uint32_t number; /* 0 until one of them is wanted */
};

static bool cover_range(void *context, struct tree_range range)
{
    struct covering *covering = context;
    struct walk *walk = covering->walk;
    uint64_t start = range.start + walk->unit->offset, end = range.end + walk->unit->offset;
    if (end > UINT32_MAX || start >= end ||
        !range_list_overlaps(walk->wanted, (uint32_t)start, (uint32_t)end))
        return true;
    if (!covering->number)
        covering->number = add_entry(walk, covering->entry);
    if (!covering->entry.outer && !range_list_add(&walk->covered, start, end))
        walk->no_memory = true;
    /* As met in the walk, an inner one comes after its outer one. */
    if (!walk->no_memory && !cover_add(&walk->frames->covers, start, end, covering->number, covering->number))
        walk->no_memory = true;
    return !walk->no_memory;
}

/* The number of the entry when its ranges cover some of what is wanted, else 0. */
static uint32_t cover(struct walk *walk, const struct tree *tree, const struct tree_entry *entry,
                      uint64_t die, uint32_t outer)
{
    struct covering covering = {.walk = walk, .entry = {.outer = outer, .die = die}};
    if (entry->tag == DW_TAG_inlined_subroutine && entry->call_file < walk->files.count &&
        entry->call_line <= UINT32_MAX) {
        covering.entry.call_source = walk->files.sources[entry->call_file];
        covering.entry.call_line = (uint32_t)entry->call_line;
    }
    tree_ranges(tree, entry, cover_range, &covering);
    return covering.number;
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

/* The outermost function is at its end. */
static void hand_over(struct walk *walk)
{
    walk->top = 0;
    if (!walk->function || walk->frames->count == 0)
        return;
    if (!walk->no_memory && !walk->function(walk->context, walk->frames))
        walk->no_memory = true;
    walk->frames->count = walk->frames->covers.count = 0;
}

/* Visits all entries that cover what is wanted. Namespaces, types and blocks are only passed through. */
static bool visit_entries(struct walk *walk, const struct tree *tree, bool nests)
{
    uint32_t outers[DEPTH_LIMIT] = {0}; /* the entry at each depth */
    size_t depth = 0;
    struct cursor at = tree->unit;
    const uint8_t *passed = at.at;
    while (at.at < at.end && !walk->no_memory) {
        struct tree_entry entry;
        uint64_t die = (uint64_t)(at.at - tree->sections.info.bytes);
        uint32_t own = outers[depth];
        bool enter = false;
        if (!tree_next(tree, &at, &entry))
            return false;
        if (entry.tag == 0) {
            if (depth == 0)
                return true;
            if (--depth + 1 == walk->top)
                hand_over(walk);
            continue;
        }
        if (entry.tag == DW_TAG_inlined_subroutine) {
            own = cover(walk, tree, &entry, die, own);
            enter = own;
        } else if (entry.tag == DW_TAG_subprogram) {
            sections_pass(walk->unit->sections, &passed, at.at);
            own = cover(walk, tree, &entry, die, 0);
            enter = own || nests;
            if (own && !walk->top)
                walk->top = depth + 1;
        } else {
            enter = tree_tag_is_scope(entry.tag);
        }
        if (enter && entry.has_children && depth + 1 < DEPTH_LIMIT)
            outers[++depth] = own;
        else if (!tree_skip_children(tree, &at, &entry))
            return false;
        else if (depth + 1 == walk->top)
            hand_over(walk);
    }
    return true;
}

static bool visit(struct walk *walk, const struct tree *tree, bool nests)
{
    bool whole = visit_entries(walk, tree, nests);
    hand_over(walk);
    return whole;
}

/* A class of a function's own has its functions inside of that, even where nothing is left of it but what was
 * inlined elsewhere (gcc's lambdas). Most units have none such, and need not be searched for them: only where
 * no function is around what is wanted. */
static int visit_all(struct walk *walk, const struct tree *tree)
{
    struct range_list left = {0};
    bool nests = nests_functions(walk->unit), whole = visit(walk, tree, nests);
    if (!nests && whole) {
        range_list_sort(&walk->covered);
        walk->no_memory |= !range_list_subtract(walk->wanted, &walk->covered, &left);
        walk->wanted = &left;
        if (left.count > 0)
            whole = visit(walk, tree, true);
    }
    range_list_release(&left);
    return walk->no_memory ? UNIT_NO_MEMORY : whole ? UNIT_OK : UNIT_BAD;
}

static int read_frames(struct walk *walk, struct source_table *sources)
{
    struct unit *unit = walk->unit;
    struct tree tree = {0};
    /* A split unit without a file table of its own uses the skeleton's. */
    bool own_files = unit->is_split && unit->split.lines.size > 0;
    int result = own_files ? file_map_read(&walk->files, unit, sources) : UNIT_OK;
    if (!own_files)
        walk->files = unit->files;
    if (result == UNIT_OK)
        result = tree_open_unit(&tree, unit);
    if (result == UNIT_OK)
        result = visit_all(walk, &tree);
    tree_release(&tree);
    range_list_release(&walk->covered);
    if (own_files)
        file_map_release(&walk->files);
    return result;
}

int unit_read_frames(struct unit *unit, struct source_table *sources, const struct range_list *wanted,
                     struct frames *frames)
{
    struct walk walk = {.unit = unit, .wanted = wanted, .frames = frames};
    return read_frames(&walk, sources);
}

int unit_each_function(struct unit *unit, struct source_table *sources, const struct range_list *wanted,
                       bool (*function)(void *context, struct frames *frames), void *context)
{
    struct frames frames = {0};
    struct walk walk = {
        .unit = unit, .wanted = wanted, .frames = &frames, .function = function, .context = context};
    int result = read_frames(&walk, sources);
    frames_release(&frames);
    return result;
}

void frames_release(struct frames *frames)
{
    free(frames->entries);
    cover_release(&frames->covers);
    *frames = (struct frames){0};
}
