#include "debuginfo/stacks/stack_table.h"

#include <stdlib.h>
#include <string.h>

#include "debuginfo/cache/cache.h"
#include "debuginfo/dwarf/sources.h"

uint32_t stack_table_at(const struct stack_table *table, uint32_t address)
{
    size_t low = 0, high = table->row_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (table->rows[middle].end <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low < table->row_count && table->rows[low].start <= address ? table->rows[low].site : 0;
}

static bool strings_are_sound(const struct stack_table *table)
{
    if (!source_names_are_sound(table->sources, table->source_count, table->strings, table->string_size) ||
        !memchr(table->warnings, 0, sizeof table->warnings))
        return false;
    for (size_t i = 0; i < table->function_count; i++)
        if (table->functions[i].name >= table->string_size || table->functions[i].file >= table->string_size)
            return false;
    return true;
}

bool stack_table_is_sound(const struct stack_table *table)
{
    if (!strings_are_sound(table) || table->node_count == 0 || table->function_count == 0)
        return false;
    for (size_t i = 0; i < table->node_count; i++) {
        const struct stack_node *node = &table->nodes[i];
        if (node->function >= table->function_count || node->file >= table->string_size ||
            (i > 0 ? node->outer >= i : node->outer > 0))
            return false;
    }
    return site_rows_are_sound(table->rows, table->row_count, table->node_count);
}

void stack_table_release(struct stack_table *table)
{
    void *const arrays[] = {table->rows, table->nodes, table->functions, table->sources, table->strings};
    cache_free(table->block, arrays, sizeof arrays / sizeof *arrays);
    *table = (struct stack_table){0};
}
