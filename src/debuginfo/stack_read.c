#include "debuginfo/stack_read.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "debuginfo/elf/elf_file.h"
#include "debuginfo/stacks/stack_builder.h"
#include "debuginfo/units/units.h"

/* The files that have code, by their paths. */
static bool list_sources(struct stack_table *table, struct strings *strings, const struct source_table *from)
{
    table->sources = calloc(from->count + 1, sizeof *table->sources);
    if (!table->sources)
        return false;
    for (size_t i = 1; i < from->count; i++) {
        if (!from->items[i].has_code)
            continue;
        uint32_t string = strings_add(strings, from->items[i].path);
        if (!string)
            return false;
        table->sources[table->source_count++] = string;
    }
    return true;
}

/* In a program with debug information, what has none is mostly a language's own library, as out of scope as
 * its headers are. A unit that could not be read may be anywhere. */
static bool wants_symbols(const struct stack_builder *builder, const struct scope *scope,
                          const struct units *units)
{
    return builder->kind == STACK_FUNCTIONS && scope_has_sourceless(scope) &&
           (scope->source_count > 0 || builder->functions.count == 1 || *units->warnings);
}

static bool read_all(struct stack_table *table, struct elf_file *file, const struct scope *scope,
                     unsigned threads, struct stack_builder *builder)
{
    struct units units = {0};
    struct strings strings = {0};
    bool ok = units_read(&units, file, scope, threads, builder) == 0, has_table = false;
    if (ok && wants_symbols(builder, scope, &units))
        ok = stack_builder_add_symbols(builder, file, &has_table);
    table->has_names = has_table || units.has_lines;
    ok =
        ok && stack_builder_finish(builder, table, &strings) && list_sources(table, &strings, &units.sources);
    table->strings = strings.bytes;
    table->string_size = strings.size;
    strings.bytes = NULL;
    strings_release(&strings);
    table->has_lines = units.has_lines;
    memcpy(table->warnings, units.warnings, sizeof table->warnings);
    units_release(&units);
    return ok;
}

int stack_table_read(struct stack_table *table, const char *path, const struct scope *scope,
                     enum stack_kind kind, unsigned threads, struct coz_error *err)
{
    struct elf_file file;
    struct stack_builder builder;
    *table = (struct stack_table){0};
    int result = elf_file_open(&file, path, err);
    bool ok = stack_builder_init(&builder, kind);
    if (result == 0 && !(ok && read_all(table, &file, scope, threads, &builder)))
        result = error_set(err, ENOMEM, "%s: out of memory for its functions", path);
    stack_builder_release(&builder);
    elf_file_close(&file);
    return result;
}
