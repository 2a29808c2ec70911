/* One unit's way into the builder. */
#include <stdlib.h>

#include "debuginfo/lines/lines.h"
#include "debuginfo/stacks/functions.h"
#include "debuginfo/stacks/stack_builder.h"

/* [start, end) has one line, or one entry of the frames. */
struct piece {
    uint32_t start, end;
    uint32_t value;
};

struct pieces {
    struct piece *items;
    size_t count, room;
};

struct adding {
    struct stack_builder *builder;
    const struct unit *unit;
    const struct source_table *sources;
    const struct frames *frames;
    const struct unit_functions *functions; /* empty when only lines are wanted */
    const struct line_range_list *lines;
    uint32_t *numbers; /* of the unit's functions: theirs in the builder */
    uint32_t *files;   /* of the sources: their string in the builder; 0: not yet asked */
    uint32_t *outers;  /* of each entry: the node of what is around code of its own */
    uint32_t rank;
};

static bool add_piece(void *context, uint32_t start, uint32_t end, uint32_t value)
{
    struct pieces *pieces = context;
    struct piece *items = array_reserve(pieces->items, pieces->count, &pieces->room, sizeof *items);
    if (!items)
        return false;
    pieces->items = items;
    items[pieces->count++] = (struct piece){start, end, value};
    return true;
}

/* ---- numbers of the builder ---- */

static uint32_t file_of(struct adding *adding, uint32_t source)
{
    if (source && !adding->files[source])
        adding->files[source] = strings_add(&adding->builder->strings, adding->sources->items[source].path);
    return adding->files[source];
}

/* 0 for functions that are not wanted: without a name, or out of scope. */
static uint32_t function_of(struct adding *adding, uint32_t entry)
{
    uint32_t own = adding->functions->of_entry[entry];
    const struct unit_function *function = &adding->functions->items[own];
    if (!own || !function->name)
        return 0;
    bool wanted = adding->builder->kind == STACK_ALL || adding->sources->items[function->source].in_scope;
    if (wanted && !adding->numbers[own]) {
        const struct stack_function record = {strings_add(&adding->builder->strings, function->name),
                                              file_of(adding, function->source)};
        adding->numbers[own] = interner_add(&adding->builder->functions, &record);
        adding->builder->no_memory |= !adding->numbers[own];
    }
    return wanted ? adding->numbers[own] : 0;
}

static uint32_t add_node(struct adding *adding, struct stack_node node)
{
    uint32_t number = interner_add(&adding->builder->nodes, &node);
    adding->builder->no_memory |= !number;
    return number;
}

/* The node of a line in the function of an entry, below `outer`; what is not wanted of it is left out. */
static uint32_t node_of(struct adding *adding, uint32_t entry, uint32_t source, uint32_t line, uint32_t outer)
{
    enum stack_kind kind = adding->builder->kind;
    struct stack_node node = {.outer = outer};
    const struct stack_node *around =
        (const void *)(adding->builder->nodes.records + outer * sizeof(struct stack_node));
    if (kind != STACK_LINES)
        node.function = function_of(adding, entry);
    if (kind != STACK_FUNCTIONS && line && (kind == STACK_ALL || adding->sources->items[source].in_scope)) {
        node.file = file_of(adding, source);
        node.line = line;
    }
    if (!node.function && !node.line)
        return outer;
    /* One that was inlined into itself is one frame as far as its name goes. */
    if (kind == STACK_FUNCTIONS && outer && around->function == node.function)
        return outer;
    return add_node(adding, node);
}

/* What is around the code of each entry. Outer entries come first. */
static void find_outers(struct adding *adding)
{
    for (uint32_t i = 1; i < adding->frames->count; i++) {
        const struct frame_entry *entry = &adding->frames->entries[i];
        if (entry->outer || entry->call_line)
            adding->outers[i] = node_of(adding, entry->outer, entry->call_source, entry->call_line,
                                        adding->outers[entry->outer]);
    }
}

/* ---- rows ---- */

static bool add_row(struct adding *adding, uint32_t start, uint32_t end, uint32_t entry,
                    const struct line_range *line)
{
    uint32_t node =
        node_of(adding, entry, line ? line->source : 0, line ? line->line : 0, adding->outers[entry]);
    return !node || cover_add(&adding->builder->rows, start, end, node, adding->rank);
}

/* Cuts both lists where either has an edge. */
static bool add_rows(struct adding *adding, const struct pieces *lines, const struct pieces *entries)
{
    size_t line = 0, entry = 0;
    uint32_t at = 0;
    bool ok = true;
    while (ok) {
        while (line < lines->count && lines->items[line].end <= at)
            line++;
        while (entry < entries->count && entries->items[entry].end <= at)
            entry++;
        const struct piece *l = line < lines->count ? &lines->items[line] : NULL;
        const struct piece *e = entry < entries->count ? &entries->items[entry] : NULL;
        if (!l && !e)
            return true;
        bool in_line = l && l->start <= at, in_entry = e && e->start <= at;
        uint32_t end = UINT32_MAX;
        if (l)
            end = in_line ? l->end : l->start;
        if (e && (in_entry ? e->end : e->start) < end)
            end = in_entry ? e->end : e->start;
        if (in_line || in_entry)
            ok = add_row(adding, at, end, in_entry ? e->value : 0,
                         in_line ? &adding->lines->items[l->value] : NULL);
        at = end;
    }
    return false;
}

/* Where two lines claim the same code the first one has it. */
static bool cut_lines(const struct line_range_list *lines, struct pieces *out)
{
    struct cover_list covers = {0};
    bool ok = true;
    for (size_t i = 0; ok && i < lines->count; i++)
        ok = cover_add(&covers, lines->items[i].start, lines->items[i].end, (uint32_t)i,
                       UINT32_MAX - (uint32_t)i);
    ok = ok && cover_resolve(&covers, add_piece, out);
    cover_release(&covers);
    return ok;
}

/* That the unit is there is worth knowing even where it has nothing: its code is not its symbols'. */
static bool claim_code(struct stack_builder *builder, const struct unit *unit)
{
    bool ok = true;
    for (size_t i = 0; ok && unit->tells_code && i < unit->code.count; i++)
        ok =
            cover_add(&builder->rows, unit->code.items[i].start, unit->code.items[i].end, 0, STACK_RANK_UNIT);
    return ok;
}

static bool add_all(struct adding *adding, struct frames *frames, bool whole)
{
    struct stack_builder *builder = adding->builder;
    struct pieces lines = {0}, entries = {0};
    adding->numbers = calloc(adding->functions->count + 1, sizeof *adding->numbers);
    adding->files = calloc(adding->sources->count + 1, sizeof *adding->files);
    adding->outers = calloc(frames->count + 1, sizeof *adding->outers);
    bool ok = adding->numbers && adding->files && adding->outers && cut_lines(adding->lines, &lines) &&
              cover_resolve(&frames->covers, add_piece, &entries);
    pthread_mutex_lock(&builder->lock);
    if (ok) {
        find_outers(adding);
        ok = add_rows(adding, &lines, &entries) && (!whole || claim_code(builder, adding->unit)) &&
             !builder->no_memory;
    }
    pthread_mutex_unlock(&builder->lock);
    free(lines.items);
    free(entries.items);
    free(adding->numbers);
    free(adding->files);
    free(adding->outers);
    return ok;
}

int stack_builder_add_unit(struct stack_builder *builder, struct unit *unit, size_t number,
                           const struct line_header *header, struct source_table *sources)
{
    struct frames frames = {0};
    struct unit_functions functions = {0};
    struct line_range_list lines = {0};
    int result = UNIT_OK, tree = UNIT_OK;
    unit->keeps_all_lines = builder->kind == STACK_ALL;
    if (builder->kind != STACK_FUNCTIONS)
        result = unit_read_lines(unit, header, sources, &lines);
    if (result != UNIT_NO_MEMORY)
        tree = unit_read_frames(unit, sources, &unit->code, &frames);
    bool ok = result != UNIT_NO_MEMORY && tree != UNIT_NO_MEMORY;
    if (ok && builder->kind != STACK_LINES)
        ok = unit_read_functions(unit, &frames, sources, &functions);
    struct adding adding = {.builder = builder,
                            .unit = unit,
                            .sources = sources,
                            .frames = &frames,
                            .functions = &functions,
                            .lines = &lines,
                            .rank = UINT32_MAX - (uint32_t)number};
    ok = ok && add_all(&adding, &frames, tree == UNIT_OK);
    unit_functions_release(&functions);
    frames_release(&frames);
    free(lines.items);
    return !ok ? UNIT_NO_MEMORY : result != UNIT_OK ? result : tree;
}

bool stack_builder_add_foreign(struct stack_builder *builder, const struct unit *unit)
{
    pthread_mutex_lock(&builder->lock);
    bool ok = claim_code(builder, unit);
    pthread_mutex_unlock(&builder->lock);
    return ok;
}
