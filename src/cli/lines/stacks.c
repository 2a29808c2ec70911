#include "cli/lines/listings.h"

#include "debuginfo/names/site.h"
#include "debuginfo/stack_read.h"
#include "debuginfo/stacks/stack_table.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_row(const struct stack_table *table, const struct site_row *row)
{
    printf("%#" PRIx32 "-%#" PRIx32, row->start, row->end);
    const char *between = "  ";
    for (uint32_t number = row->site; number; number = table->nodes[number].outer) {
        const struct stack_node *node = &table->nodes[number];
        const char *name = table->strings + table->functions[node->function].name;
        printf("%s%s", between, *name ? name : "?");
        if (node->line)
            printf(" (%s:%" PRIu32 ")", table->strings + node->file, node->line);
        between = " <- ";
    }
    putchar('\n');
}

/* Whether a frame of the row is on the line. */
static bool has_line(const struct stack_table *table, const struct site_row *row, const char *place)
{
    for (uint32_t number = row->site; number; number = table->nodes[number].outer) {
        const struct stack_node *node = &table->nodes[number];
        if (node->line && site_line_matches(table->strings + node->file, node->line, place))
            return true;
    }
    return false;
}

static bool print_place(const struct stack_table *table, const char *place)
{
    char *end;
    unsigned long address = strtoul(place, &end, 16);
    bool is_address = strncmp(place, "0x", 2) == 0 && *end == '\0', any = false;
    for (size_t i = 0; i < table->row_count; i++) {
        const struct site_row *row = &table->rows[i];
        if (is_address ? address < row->start || address >= row->end : !has_line(table, row, place))
            continue;
        print_row(table, row);
        any = true;
    }
    if (!any)
        printf("%s: no code of a unit that has a file in scope\n", place);
    return any;
}

int lines_list_stacks(const char *program, char **places, const struct scope *scope)
{
    struct stack_table table;
    struct coz_error error;
    int status = LINES_FOUND;
    if (stack_table_read(&table, program, scope, STACK_ALL, 0, &error)) {
        fprintf(stderr, "coz lines: %s\n", error.text);
        status = LINES_USAGE;
    } else if (table.row_count == 0) {
        fprintf(stderr, "coz lines: %s\n",
                table.has_lines ? "no source is in scope" : "there is no debug info: compile with -g");
        status = LINES_NOT_FOUND;
    } else if (!*places) {
        for (size_t i = 0; i < table.row_count; i++)
            print_row(&table, &table.rows[i]);
    } else {
        for (; *places; places++)
            if (!print_place(&table, *places))
                status = LINES_NOT_FOUND;
    }
    if (*table.warnings)
        fprintf(stderr, "coz lines: some debug information was left out: %s\n", table.warnings);
    stack_table_release(&table);
    return status;
}
