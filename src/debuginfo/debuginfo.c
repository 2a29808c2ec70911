#include "debuginfo/debuginfo.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "debuginfo/elf_file.h"
#include "debuginfo/line_cache.h"
#include "debuginfo/line_table.h"

static int read_table(const char *path, const struct scope *scope, unsigned threads, struct line_table *table,
                      struct coz_error *err)
{
    struct elf_file file;
    struct units units = {0};
    int result = elf_file_open(&file, path, err);
    if (result == 0) {
        result = units_read(&units, &file, scope, threads);
        if (result == 0)
            result = line_table_make(table, &units);
        if (result)
            error_set(err, ENOMEM, "%s: out of memory for its debug information", path);
        units_release(&units);
    }
    elf_file_close(&file);
    return result;
}

static int list_sources(const struct line_table *table, struct debuginfo *out)
{
    out->sources = calloc(table->source_count + 1, sizeof *out->sources);
    if (!out->sources)
        return -ENOMEM;
    for (size_t i = 0; i < table->source_count; i++) {
        out->sources[i] = strdup(table->strings + table->sources[i]);
        if (!out->sources[i])
            return -ENOMEM;
        out->source_count++;
    }
    return 0;
}

int debuginfo_read_sites(const char *path, const struct scope *scope, struct debuginfo_options options,
                         struct debuginfo *out, struct coz_error *err)
{
    struct line_table *table = calloc(1, sizeof *table);
    out->table = table;
    out->status = DEBUGINFO_NO_LINES;
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
    if (table->has_lines)
        out->status = table->row_count ? DEBUGINFO_OK : DEBUGINFO_OUT_OF_SCOPE;
    if (list_sources(table, out))
        return error_set(err, ENOMEM, "%s: out of memory for its sources", path);
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
    size_t used = strlen(out->warnings);
    static const char words[] = "some lines: there are more than fit";
    if (full && used + sizeof words + 1 < sizeof out->warnings) {
        if (used)
            out->warnings[used++] = '\n';
        memcpy(out->warnings + used, words, sizeof words);
    }
}

int debuginfo_give_sites(struct debuginfo *out, struct site_set *sites, struct coz_error *err)
{
    const struct line_table *table = out->table;
    uint32_t *ids = calloc(table->site_count + 1, sizeof *ids);
    if (!ids)
        return error_set(err, ENOMEM, "out of memory for the rows of a module");
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

int debuginfo_load_sites(const char *path, const struct scope *scope, struct site_set *sites,
                         struct debuginfo *out, struct coz_error *err)
{
    const struct debuginfo_options fresh = {0};
    int result = debuginfo_read_sites(path, scope, fresh, out, err);
    return result ? result : debuginfo_give_sites(out, sites, err);
}

void debuginfo_release_rows(struct debuginfo *info)
{
    if (info->table) {
        line_table_release(info->table);
        free(info->table);
    }
    free(info->unwind);
    info->table = NULL;
    info->rows = NULL;
    info->unwind = NULL;
    info->row_count = info->unwind_count = 0;
}

void debuginfo_release(struct debuginfo *info)
{
    debuginfo_release_rows(info);
    for (size_t i = 0; i < info->source_count; i++)
        free(info->sources[i]);
    free(info->sources);
    *info = (struct debuginfo){0};
}
