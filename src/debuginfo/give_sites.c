/* The second step: what was read of a module's code gets the ids of its sites. */
#include "debuginfo/debuginfo.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "debuginfo/line_table.h"
#include "debuginfo/stacks/stack_table.h"

static void warn_full(struct debuginfo *out)
{
    static const char words[] = "some lines or functions: there are more than fit";
    size_t used = strlen(out->warnings);
    if (used + sizeof words + 1 >= sizeof out->warnings)
        return;
    if (used)
        out->warnings[used++] = '\n';
    memcpy(out->warnings + used, words, sizeof words);
}

/* Whose own code the address is, as far as functions are in scope, is excluded. */
static bool is_excluded(const struct debuginfo *out, const struct site_row *code)
{
    const struct stack_table *stacks = out->excluded;
    const struct stack_function *function = &stacks->functions[stacks->nodes[code->site].function];
    return scope_excludes_function(out->scope, stacks->strings + function->name);
}

/* The pieces of the row that are no excluded function's, behind the rows that there are. *next: the first piece
 * of code that may lie in the row, or behind it. */
static void cut_row(struct debuginfo *out, struct site_row row, size_t *next)
{
    const struct stack_table *stacks = out->excluded;
    while (*next < stacks->row_count && stacks->rows[*next].end <= row.start)
        ++*next;
    for (size_t i = *next; i < stacks->row_count && stacks->rows[i].start < row.end; i++) {
        const struct site_row *code = &stacks->rows[i];
        if (!is_excluded(out, code))
            continue;
        if (code->start > row.start)
            out->rows[out->row_count++] = (struct site_row){row.start, code->start, row.site};
        row.start = code->end;
        if (row.start >= row.end)
            return;
    }
    out->rows[out->row_count++] = row;
}

/* The rows without excluded functions, in memory of their own. */
static int cut_rows(struct debuginfo *out)
{
    const struct stack_table *stacks = out->excluded;
    size_t count = out->row_count, next = 0;
    const struct site_row *rows = out->rows;
    struct site_row *cut = malloc((count + stacks->row_count + 1) * sizeof *cut);
    if (!cut)
        return -ENOMEM;
    out->rows = out->cut_rows = cut;
    out->row_count = 0;
    for (size_t i = 0; i < count; i++)
        cut_row(out, rows[i], &next);
    return 0;
}

/* Gives the rows the ids of their sites, where they are; those whose site there is no room for go. */
static void number_rows(struct debuginfo *out, const struct line_table *table, const uint32_t *ids)
{
    bool full = false;
    out->rows = table->rows;
    for (size_t i = 0; i < table->row_count; i++) {
        struct site_row row = table->rows[i];
        row.site = ids[row.site];
        full |= row.site == 0;
        if (row.site)
            out->rows[out->row_count++] = row;
    }
    if (full)
        warn_full(out);
}

/* The same for nodes, which stay where they are, as the rows do. */
static int number_nodes(struct debuginfo *out, const struct stack_table *table, struct site_set *sites)
{
    const char *strings = table->strings;
    bool full = false;
    out->nodes = calloc(table->node_count, sizeof *out->nodes);
    if (!out->nodes)
        return -ENOMEM;
    for (size_t i = 1; i < table->node_count; i++) {
        const struct stack_node *node = &table->nodes[i];
        const struct stack_function *function = &table->functions[node->function];
        if (!node->line && scope_excludes_function(out->scope, strings + function->name)) {
            out->nodes[i] = (struct site_node){.outer = node->outer};
            continue;
        }
        uint32_t site = node->line
                            ? site_intern(sites, strings + node->file, node->line)
                            : site_intern_function(sites, strings + function->name, strings + function->file);
        out->nodes[i] = (struct site_node){.site = site, .outer = node->outer};
        full |= site == 0;
    }
    out->node_count = table->node_count;
    out->rows = table->rows;
    out->row_count = table->row_count;
    if (full)
        warn_full(out);
    return 0;
}

static int give_lines(struct debuginfo *out, struct site_set *sites)
{
    const struct line_table *table = out->table;
    uint32_t *ids = calloc(table->site_count + 1, sizeof *ids);
    if (!ids)
        return -ENOMEM;
    const char *own = NULL;
    site_set_reserve(sites, (uint32_t)table->site_count);
    for (size_t i = 1; i < table->site_count; i++) {
        const struct line_site *site = &table->sites[i];
        if (site->file != site[-1].file)
            own = NULL;
        ids[i] = site_intern_in(sites, &own, table->strings + site->file, out->by_file ? 0 : site->line);
    }
    number_rows(out, table, ids);
    free(ids);
    return out->excluded ? cut_rows(out) : 0;
}

int debuginfo_give_sites(struct debuginfo *out, struct site_set *sites, struct coz_error *err)
{
    int result = out->stacks ? number_nodes(out, out->stacks, sites) : give_lines(out, sites);
    return result ? error_set(err, ENOMEM, "out of memory for the rows of a module") : 0;
}
