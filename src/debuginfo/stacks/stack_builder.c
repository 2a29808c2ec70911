#include "debuginfo/stacks/stack_builder.h"

#include <stdlib.h>
#include <string.h>

#include "debuginfo/elf/symbols.h"

bool stack_builder_init(struct stack_builder *builder, enum stack_kind kind)
{
    *builder = (struct stack_builder){.kind = kind, .lock = PTHREAD_MUTEX_INITIALIZER};
    return strings_init(&builder->strings) &&
           interner_init(&builder->functions, sizeof(struct stack_function)) &&
           interner_init(&builder->nodes, sizeof(struct stack_node));
}

void stack_builder_release(struct stack_builder *builder)
{
    strings_release(&builder->strings);
    interner_release(&builder->functions);
    interner_release(&builder->nodes);
    cover_release(&builder->rows);
}

bool stack_builder_add_symbols(struct stack_builder *builder, struct elf_file *file, bool *has_table)
{
    struct cover_list symbols = {0};
    bool ok = symbols_read(file, &builder->strings, &symbols, has_table);
    for (size_t i = 0; ok && i < symbols.count; i++) {
        const struct cover_item *item = &symbols.items[i];
        const struct stack_function function = {.name = item->value};
        struct stack_node node = {.function = interner_add(&builder->functions, &function)};
        uint32_t number = node.function ? interner_add(&builder->nodes, &node) : 0;
        ok = number && cover_add(&builder->rows, item->start, item->end, number, item->rank);
    }
    cover_release(&symbols);
    return ok;
}

/* ---- finishing: everything anew, in the order of the addresses, and only what is used ---- */

struct finishing {
    const struct stack_builder *builder;
    struct stack_table *table;
    size_t row_room, node_room, function_room;
    struct strings *strings;
    uint32_t *nodes, *functions; /* old number -> new one, 0: none yet */
};

static const struct stack_node *old_node(const struct finishing *finishing, uint32_t number)
{
    return (const void *)(finishing->builder->nodes.records + number * sizeof(struct stack_node));
}

static bool copy_string(struct finishing *finishing, uint32_t old, uint32_t *string)
{
    *string = strings_add(finishing->strings, finishing->builder->strings.bytes + old);
    return *string || !old;
}

static bool copy_function(struct finishing *finishing, uint32_t old)
{
    struct stack_table *table = finishing->table;
    const struct stack_function *from =
        (const void *)(finishing->builder->functions.records + old * sizeof(struct stack_function));
    struct stack_function *items =
        array_reserve(table->functions, table->function_count, &finishing->function_room, sizeof *items);
    if (!items)
        return false;
    table->functions = items;
    finishing->functions[old] = (uint32_t)table->function_count;
    struct stack_function *to = &items[table->function_count++];
    return copy_string(finishing, from->name, &to->name) && copy_string(finishing, from->file, &to->file);
}

static bool copy_node(struct finishing *finishing, uint32_t old, uint32_t outer)
{
    struct stack_table *table = finishing->table;
    struct stack_node node = *old_node(finishing, old);
    struct stack_node *items =
        array_reserve(table->nodes, table->node_count, &finishing->node_room, sizeof *items);
    if (!items)
        return false;
    table->nodes = items;
    if (node.function && !finishing->functions[node.function] && !copy_function(finishing, node.function))
        return false;
    node.function = finishing->functions[node.function];
    node.outer = outer;
    if (!copy_string(finishing, node.file, &node.file))
        return false;
    finishing->nodes[old] = (uint32_t)table->node_count;
    items[table->node_count++] = node;
    return true;
}

/* Copies the node and those around it, the outermost first. Nodes were interned after their outer ones, so
 * the numbers fall on the way outwards, and this ends. */
static bool copy_stack(struct finishing *finishing, uint32_t old)
{
    while (!finishing->nodes[old]) {
        uint32_t next = old, outer = old_node(finishing, old)->outer;
        while (outer && !finishing->nodes[outer]) {
            next = outer;
            outer = old_node(finishing, next)->outer;
        }
        if (!copy_node(finishing, next, outer ? finishing->nodes[outer] : 0))
            return false;
    }
    return true;
}

static bool finish_row(void *context, uint32_t start, uint32_t end, uint32_t old)
{
    struct finishing *finishing = context;
    struct stack_table *table = finishing->table;
    if (!old)
        return true;
    if (!copy_stack(finishing, old))
        return false;
    uint32_t node = finishing->nodes[old];
    struct site_row *last = table->row_count ? &table->rows[table->row_count - 1] : NULL;
    if (last && last->end == start && last->site == node) {
        last->end = end;
        return true;
    }
    struct site_row *rows = array_reserve(table->rows, table->row_count, &finishing->row_room, sizeof *rows);
    if (!rows)
        return false;
    table->rows = rows;
    rows[table->row_count++] = (struct site_row){start, end, node};
    return true;
}

bool stack_builder_finish(struct stack_builder *builder, struct stack_table *table, struct strings *strings)
{
    struct finishing finishing = {.builder = builder, .table = table, .strings = strings};
    finishing.nodes = calloc(builder->nodes.count, sizeof *finishing.nodes);
    finishing.functions = calloc(builder->functions.count, sizeof *finishing.functions);
    table->nodes = array_reserve(NULL, 0, &finishing.node_room, sizeof *table->nodes);
    table->functions = array_reserve(NULL, 0, &finishing.function_room, sizeof *table->functions);
    table->rows = array_reserve(NULL, 0, &finishing.row_room, sizeof *table->rows);
    bool ok = strings_init(strings) && finishing.nodes && finishing.functions && table->nodes &&
              table->functions && table->rows;
    if (ok) {
        table->nodes[table->node_count++] = (struct stack_node){0};
        table->functions[table->function_count++] = (struct stack_function){0};
        ok = cover_resolve(&builder->rows, finish_row, &finishing);
    }
    free(finishing.nodes);
    free(finishing.functions);
    return ok;
}
