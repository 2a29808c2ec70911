/* Making the stack table of a file. Private to debuginfo/ and the listing of `coz lines`. */
#pragma once

#include "base/error.h"
#include "debuginfo/names/scope.h"
#include "debuginfo/stacks/stack_table.h"

/* Reads the file. threads as in units_read(). The errors of elf_file_open(). Release it in every case. */
int stack_table_read(struct stack_table *table, const char *path, const struct scope *scope,
                     enum stack_kind kind, unsigned threads, struct coz_error *err);
