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

/* The table, from the cache if it may be. */
static int load_stacks(struct stack_table *table, const char *path, const struct scope *scope,
                       enum stack_kind kind, struct debuginfo_options options, struct coz_error *err)
{
    if (options.cached && stack_cache_load(table, path, scope, kind))
        return 0;
    int result = stack_table_read(table, path, scope, kind, options.threads, err);
    if (result == 0 && options.cached)
        stack_cache_store(table, path, scope, kind);
    return result;
}

static int read_stacks(const char *path, const struct scope *scope, struct debuginfo_options options,
                       struct debuginfo *out, struct coz_error *err)
{
    enum stack_kind kind = options.granularity == GRANULARITY_FUNCTION ? STACK_FUNCTIONS : STACK_LINES;
    struct stack_table *table = out->stacks = calloc(1, sizeof *table);
    if (!table)
        return error_set(err, ENOMEM, "%s: out of memory for its functions", path);
    int result = load_stacks(table, path, scope, kind, options, err);
    if (result)
        return result;
    memcpy(out->warnings, table->warnings, sizeof out->warnings);
    out->has_names = table->has_names;
    out->status = status_of(table->has_lines, table->row_count);
    if (list_sources(table->strings, table->sources, table->source_count, out))
        return error_set(err, ENOMEM, "%s: out of memory for its sources", path);
    return 0;
}

/* Which code is that of excluded functions; their lines are left out when rows are given. */
static int read_excluded(const char *path, const struct scope *scope, struct debuginfo_options options,
                         struct debuginfo *out, struct coz_error *err)
{
    struct stack_table *table = calloc(1, sizeof *table);
    if (!table)
        return error_set(err, ENOMEM, "%s: out of memory for its functions", path);
    out->excluded = table;
    return load_stacks(table, path, scope, STACK_FUNCTIONS, options, err);
}

int debuginfo_read_sites(const char *path, const struct scope *scope, struct debuginfo_options options,
                         struct debuginfo *out, struct coz_error *err)
{
    out->status = DEBUGINFO_NO_LINES;
    out->by_file = options.granularity == GRANULARITY_FILE;
    out->scope = scope;
    if (options.granularity == GRANULARITY_THREAD) {
        out->status = DEBUGINFO_OK; /* threads are known by other names */
        return 0;
    }
    if (options.granularity != GRANULARITY_LINE && !out->by_file)
        return read_stacks(path, scope, options, out, err);
    int result = read_lines(path, scope, options, out, err);
    return result == 0 && scope->excluded_function_count ? read_excluded(path, scope, options, out, err)
                                                         : result;
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
    if (info->excluded)
        stack_table_release(info->excluded);
    free(info->excluded);
    free(info->cut_rows);
    free(info->nodes);
    free(info->unwind);
    info->table = info->stacks = info->excluded = NULL;
    info->cut_rows = NULL;
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
