#include "debuginfo/debuginfo.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "debuginfo/elf/elf_file.h"
#include "debuginfo/line_cache.h"
#include "debuginfo/line_table.h"
#include "debuginfo/stack_cache.h"
#include "debuginfo/stack_read.h"
#include "debuginfo/stacks/place_names.h"
#include "debuginfo/units/source_md5.h"
#include "debuginfo/unwind/cfi.h"

static int read_table(const char *path, const struct scope *scope, unsigned threads, struct line_table *table,
                      struct coz_error *err)
{
    struct elf_file file;
    struct units units = {0};
    int result = elf_file_open(&file, path, err);
    if (result == 0) {
        result = units_read(&units, &file, scope, threads, NULL);
        if (result == 0)
            result = line_table_make(table, &units);
        if (result)
            error_set(err, ENOMEM, "%s: out of memory for its debug information", path);
        units_release(&units);
    }
    elf_file_close(&file);
    return result;
}

static int list_sources(const char *strings, const uint32_t *sources, size_t count, struct debuginfo *out)
{
    out->sources = calloc(count + 1, sizeof *out->sources);
    if (!out->sources)
        return -ENOMEM;
    for (size_t i = 0; i < count; i++) {
        out->sources[i] = strdup(strings + sources[i]);
        if (!out->sources[i])
            return -ENOMEM;
        out->source_count++;
    }
    return 0;
}

static enum debuginfo_status status_of(bool has_lines, size_t rows)
{
    return rows ? DEBUGINFO_OK : has_lines ? DEBUGINFO_OUT_OF_SCOPE : DEBUGINFO_NO_LINES;
}

static int read_lines(const char *path, const struct scope *scope, struct debuginfo_options options,
                      struct debuginfo *out, struct coz_error *err)
{
    struct line_table *table = out->table = calloc(1, sizeof *table);
    if (!table)
        return error_set(err, ENOMEM, "%s: out of memory for its debug information", path);
    if (!options.cached || !line_cache_load(table, path, scope)) {
        int result = read_table(path, scope, options.threads, table, err);
        if (result)
            return result;
        if (options.cached)
            line_cache_store(table, path, scope);
    }
    memcpy(out->warnings, table->warnings, sizeof out->warnings);
    out->status = status_of(table->has_lines, table->row_count);
    if (list_sources(table->strings, table->sources, table->source_count, out))
        return error_set(err, ENOMEM, "%s: out of memory for its sources", path);
    return 0;
}

static int read_stacks(const char *path, const struct scope *scope, struct debuginfo_options options,
                       struct debuginfo *out, struct coz_error *err)
{
    enum stack_kind kind = options.granularity == GRANULARITY_FUNCTION ? STACK_FUNCTIONS : STACK_LINES;
    struct stack_table *table = out->stacks = calloc(1, sizeof *table);
    if (!table)
        return error_set(err, ENOMEM, "%s: out of memory for its functions", path);
    if (!options.cached || !stack_cache_load(table, path, scope, kind)) {
        int result = stack_table_read(table, path, scope, kind, options.threads, err);
        if (result)
            return result;
        if (options.cached)
            stack_cache_store(table, path, scope, kind);
    }
    memcpy(out->warnings, table->warnings, sizeof out->warnings);
    out->has_symbols = table->has_symbols;
    out->status = status_of(table->has_lines, table->row_count);
    if (list_sources(table->strings, table->sources, table->source_count, out))
        return error_set(err, ENOMEM, "%s: out of memory for its sources", path);
    return 0;
}

int debuginfo_read_sites(const char *path, const struct scope *scope, struct debuginfo_options options,
                         struct debuginfo *out, struct coz_error *err)
{
    out->status = DEBUGINFO_NO_LINES;
    return options.granularity == GRANULARITY_LINE ? read_lines(path, scope, options, out, err)
                                                   : read_stacks(path, scope, options, out, err);
}

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
        ids[i] = site_intern_in(sites, &own, table->strings + site->file, site->line);
    }
    number_rows(out, table, ids);
    free(ids);
    return 0;
}

int debuginfo_give_sites(struct debuginfo *out, struct site_set *sites, struct coz_error *err)
{
    int result = out->stacks ? number_nodes(out, out->stacks, sites) : give_lines(out, sites);
    return result ? error_set(err, ENOMEM, "out of memory for the rows of a module") : 0;
}

int debuginfo_load_sites_as(const char *path, const struct scope *scope, struct debuginfo_options options,
                            struct site_set *sites, struct debuginfo *out, struct coz_error *err)
{
    int result = debuginfo_read_sites(path, scope, options, out, err);
    return result ? result : debuginfo_give_sites(out, sites, err);
}

int debuginfo_load_sites(const char *path, const struct scope *scope, struct site_set *sites,
                         struct debuginfo *out, struct coz_error *err)
{
    return debuginfo_load_sites_as(path, scope, (struct debuginfo_options){0}, sites, out, err);
}

void debuginfo_find_functions(const char *path, const struct scope *scope, struct debuginfo_place *places,
                              size_t count)
{
    struct elf_file file;
    struct place_names names;
    int result = elf_file_open(&file, path, NULL);
    if (place_names_init(&names, places, count) && result == 0)
        units_name_places(&names, &file, scope);
    place_names_release(&names);
    elf_file_close(&file);
}

void debuginfo_find_md5s(const char *path, const struct scope *scope,
                         void (*found)(void *context, const char *source, const uint8_t md5[MD5_BYTES]),
                         void *context)
{
    struct elf_file file;
    struct source_table sources;
    int result = elf_file_open(&file, path, NULL);
    if (source_table_init(&sources, scope) && result == 0)
        source_md5_read(&sources, &file);
    for (size_t i = 1; i < sources.count; i++)
        if (sources.items[i].md5s == SOURCE_WITH_MD5)
            found(context, sources.items[i].path, sources.items[i].md5);
    source_table_release(&sources);
    elf_file_close(&file);
}

void debuginfo_release_rows(struct debuginfo *info)
{
    if (info->table)
        line_table_release(info->table);
    if (info->stacks)
        stack_table_release(info->stacks);
    free(info->table);
    free(info->stacks);
    free(info->nodes);
    free(info->unwind);
    info->table = info->stacks = NULL;
    info->rows = NULL;
    info->nodes = NULL;
    info->unwind = NULL;
    info->row_count = info->node_count = info->unwind_count = 0;
}

void debuginfo_release(struct debuginfo *info)
{
    debuginfo_release_rows(info);
    for (size_t i = 0; i < info->source_count; i++)
        free(info->sources[i]);
    free(info->sources);
    *info = (struct debuginfo){0};
}

static void give_unwind(struct debuginfo *out, struct unwind_rows rows)
{
    out->unwind = rows.items;
    out->unwind_count = rows.count;
}

int debuginfo_load_unwind(const char *path, struct debuginfo_options options, struct debuginfo *out,
                          struct coz_error *err)
{
    struct unwind_rows rows = {0};
    int result = cfi_load(path, options.cached, &rows, err);
    give_unwind(out, rows);
    return result;
}

bool debuginfo_recall_unwind(const char *path, struct debuginfo *out)
{
    struct unwind_rows rows = {0};
    bool found = cfi_recall(path, &rows);
    if (found)
        give_unwind(out, rows);
    return found;
}
