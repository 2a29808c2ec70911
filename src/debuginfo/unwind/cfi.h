/* Call frame information (.eh_frame, else .debug_frame) as rows that the runtime searches. Private to
 * debuginfo/.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "shared/tables.h"

struct unwind_rows {
    struct unwind_row *items; /* sorted by start; to be freed */
    size_t count;
};

/* 0, or the errors of elf_file_open(). cached: look into the cache of tables, and write to it. Any thread. */
int cfi_load(const char *path, bool cached, struct unwind_rows *rows, struct coz_error *err);

/* The same, if the cache has them. */
bool cfi_recall(const char *path, struct unwind_rows *rows);
