/* Prints the inline stack of addresses: stacks PROGRAM < ADDRESSES. The form is that of `addr2line -a -f -i`:
 * the address, then a function and a line for each level, innermost first.
 *
 * The tables that programs run with hold one line an address, the innermost in scope. They are read too, for
 * the default scope, and must say the same as the stacks do: an address for which they do not gets the level
 * "table" first. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "debuginfo/debuginfo.h"
#include "debuginfo/stack_read.h"

struct book {
    struct stack_table stacks;
    struct debuginfo lines;
    struct site_set sites;
};

static const struct scope usual = {0};

static int open_book(struct book *book, const char *path)
{
    static const char *patterns[] = {"/%", "%.%", "%"};
    const struct scope all = {.sources = patterns, .source_count = sizeof patterns / sizeof *patterns};
    struct coz_error error;
    site_set_init(&book->sites, 0);
    if (stack_table_read(&book->stacks, path, &all, STACK_ALL, 0, &error) != 0 ||
        debuginfo_load_sites(path, &usual, &book->sites, &book->lines, &error) != 0) {
        fprintf(stderr, "stacks: %s\n", error.text);
        return 1;
    }
    if (book->stacks.warnings[0])
        fprintf(stderr, "stacks: %s\n", book->stacks.warnings);
    return 0;
}

static const struct site *line_at(const struct book *book, uint32_t address)
{
    size_t low = 0, high = book->lines.row_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (book->lines.rows[middle].end <= address)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < book->lines.row_count && book->lines.rows[low].start <= address;
    return &book->sites.sites[found ? book->lines.rows[low].site : 0];
}

static void check_line(const struct book *book, uint32_t address, uint32_t node)
{
    const struct stack_table *stacks = &book->stacks;
    const struct site *line = line_at(book, address);
    while (node && !(stacks->nodes[node].line &&
                     scope_has_source(&usual, stacks->strings + stacks->nodes[node].file)))
        node = stacks->nodes[node].outer;
    const char *file = node ? stacks->strings + stacks->nodes[node].file : "";
    if (line->line != (node ? stacks->nodes[node].line : 0) || (node && strcmp(line->file, file) != 0))
        printf("table\n%s:%" PRIu32 "\n", line->file ? line->file : "??", line->line);
}

static void print(const struct book *book, uint32_t address)
{
    const struct stack_table *stacks = &book->stacks;
    uint32_t node = stack_table_at(stacks, address);
    printf("%#" PRIx32 "\n", address);
    check_line(book, address, node);
    if (!node)
        puts("??\n??:0");
    for (; node; node = stacks->nodes[node].outer) {
        const struct stack_node *level = &stacks->nodes[node];
        const char *name = stacks->strings + stacks->functions[level->function].name;
        printf("%s\n%s:%" PRIu32 "\n", *name ? name : "??",
               level->line ? stacks->strings + level->file : "??", level->line);
    }
}

int main(int argc, char **argv)
{
    struct book book = {0};
    char text[64];
    if (argc != 2) {
        fputs("usage: stacks PROGRAM < ADDRESSES\n", stderr);
        return 2;
    }
    if (open_book(&book, argv[1]) != 0)
        return 1;
    while (fgets(text, sizeof text, stdin))
        print(&book, (uint32_t)strtoul(text, NULL, 16));
    debuginfo_release(&book.lines);
    stack_table_release(&book.stacks);
    site_set_release(&book.sites);
    return 0;
}
