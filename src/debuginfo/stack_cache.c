#include "debuginfo/stack_cache.h"

#include <stdlib.h>
#include <string.h>

#include "debuginfo/cache/cache.h"

/* How the table begins on disk; the arrays follow in the order of their counts. */
struct stored {
    uint64_t rows;
    uint64_t nodes;
    uint64_t functions;
    uint64_t sources;
    uint64_t string_size;
    uint64_t has_names;
    char warnings[sizeof((struct stack_table *)NULL)->warnings];
};

static bool make_key(struct cache_key *key, const char *path, const struct scope *scope, enum stack_kind kind)
{
    *key = (struct cache_key){.kind = kind == STACK_FUNCTIONS ? "functions" : "callsites",
                              .scope = scope_hash_sources(scope)};
    return kind != STACK_ALL && identity_read(&key->identity, path);
}

static bool unpack(struct stack_table *table, char *payload, size_t size)
{
    struct stored *stored = cache_take(&payload, &size, 1, sizeof *stored);
    if (!stored)
        return false;
    *table = (struct stack_table){.row_count = stored->rows,
                                  .node_count = stored->nodes,
                                  .function_count = stored->functions,
                                  .source_count = stored->sources,
                                  .string_size = stored->string_size,
                                  .has_lines = true,
                                  .has_names = stored->has_names != 0,
                                  .block = stored};
    memcpy(table->warnings, stored->warnings, sizeof table->warnings);
    table->rows = cache_take(&payload, &size, stored->rows, sizeof *table->rows);
    table->nodes = cache_take(&payload, &size, stored->nodes, sizeof *table->nodes);
    table->functions = cache_take(&payload, &size, stored->functions, sizeof *table->functions);
    table->sources = cache_take(&payload, &size, stored->sources, sizeof *table->sources);
    table->strings = cache_take(&payload, &size, stored->string_size, 1);
    return table->rows && table->nodes && table->functions && table->sources && table->strings && size == 0 &&
           stack_table_is_sound(table);
}

bool stack_cache_load(struct stack_table *table, const char *path, const struct scope *scope,
                      enum stack_kind kind)
{
    struct cache_key key;
    size_t size;
    char *payload = make_key(&key, path, scope, kind) ? cache_load(&key, &size) : NULL;
    bool ok = payload && unpack(table, payload, size);
    if (!ok) {
        free(payload);
        *table = (struct stack_table){0};
    }
    return ok;
}

void stack_cache_store(const struct stack_table *table, const char *path, const struct scope *scope,
                       enum stack_kind kind)
{
    struct cache_key key;
    struct stored stored = {.rows = table->row_count,
                            .nodes = table->node_count,
                            .functions = table->function_count,
                            .sources = table->source_count,
                            .string_size = table->string_size,
                            .has_names = table->has_names};
    memcpy(stored.warnings, table->warnings, sizeof stored.warnings);
    if (!table->has_lines || !make_key(&key, path, scope, kind))
        return;
    const struct iovec parts[] = {{&stored, sizeof stored},
                                  {table->rows, table->row_count * sizeof *table->rows},
                                  {table->nodes, table->node_count * sizeof *table->nodes},
                                  {table->functions, table->function_count * sizeof *table->functions},
                                  {table->sources, table->source_count * sizeof *table->sources},
                                  {table->strings, table->string_size}};
    cache_store(&key, parts, sizeof parts / sizeof *parts);
}
