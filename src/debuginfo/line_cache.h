/* Line tables in the cache. Private to debuginfo/. */
#pragma once

#include "debuginfo/line_table.h"

/* False when the cache does not have it. */
bool line_cache_load(struct line_table *table, const char *path, const struct scope *scope);

/* Does nothing for a file without line tables: they may be installed later, in a file of their own. */
void line_cache_store(const struct line_table *table, const char *path, const struct scope *scope);
