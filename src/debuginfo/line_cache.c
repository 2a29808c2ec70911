#include "debuginfo/line_cache.h"

#include <stdlib.h>
#include <string.h>

#include "debuginfo/cache/cache.h"

/* How the table begins on disk; the arrays follow in the order of their counts. */
struct stored {
    uint64_t rows;
    uint64_t sites;
    uint64_t sources;
    uint64_t string_size;
    char warnings[sizeof((struct line_table *)NULL)->warnings];
};

static bool make_key(struct cache_key *key, const char *path, const struct scope *scope)
{
    *key = (struct cache_key){.kind = "lines", .scope = scope_hash_sources(scope)};
    return identity_read(&key->identity, path);
}

static bool unpack(struct line_table *table, char *payload, size_t size)
{
    struct stored *stored = cache_take(&payload, &size, 1, sizeof *stored);
    if (!stored)
        return false;
    *table = (struct line_table){.row_count = stored->rows,
                                 .site_count = stored->sites,
                                 .source_count = stored->sources,
                                 .string_size = stored->string_size,
                                 .has_lines = true,
                                 .block = stored};
    memcpy(table->warnings, stored->warnings, sizeof table->warnings);
    table->rows = cache_take(&payload, &size, stored->rows, sizeof *table->rows);
    table->sites = cache_take(&payload, &size, stored->sites, sizeof *table->sites);
    table->sources = cache_take(&payload, &size, stored->sources, sizeof *table->sources);
    table->strings = cache_take(&payload, &size, stored->string_size, 1);
    return table->rows && table->sites && table->sources && table->strings && size == 0 &&
           line_table_is_sound(table);
}

bool line_cache_load(struct line_table *table, const char *path, const struct scope *scope)
{
    struct cache_key key;
    size_t size;
    char *payload = make_key(&key, path, scope) ? cache_load(&key, &size) : NULL;
    bool ok = payload && unpack(table, payload, size);
    if (!ok) {
        free(payload);
        *table = (struct line_table){0};
    }
    return ok;
}

void line_cache_store(const struct line_table *table, const char *path, const struct scope *scope)
{
    struct cache_key key;
    struct stored stored = {.rows = table->row_count,
                            .sites = table->site_count,
                            .sources = table->source_count,
                            .string_size = table->string_size};
    memcpy(stored.warnings, table->warnings, sizeof stored.warnings);
    if (!table->has_lines || !make_key(&key, path, scope))
        return;
    const struct iovec parts[] = {{&stored, sizeof stored},
                                  {table->rows, table->row_count * sizeof *table->rows},
                                  {table->sites, table->site_count * sizeof *table->sites},
                                  {table->sources, table->source_count * sizeof *table->sources},
                                  {table->strings, table->string_size}};
    cache_store(&key, parts, sizeof parts / sizeof *parts);
}
