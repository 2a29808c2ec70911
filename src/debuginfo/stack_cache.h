/* Stack tables in the cache. Private to debuginfo/. */
#pragma once

#include "debuginfo/stacks/stack_table.h"

/* False when the cache does not have it. Not for STACK_ALL. */
bool stack_cache_load(struct stack_table *table, const char *path, const struct scope *scope,
                      enum stack_kind kind);

/* Does nothing for a file without line tables: they may be installed later, in a file of their own. */
void stack_cache_store(const struct stack_table *table, const char *path, const struct scope *scope,
                       enum stack_kind kind);
