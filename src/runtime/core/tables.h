/* What the controller writes behind the segment's own struct: rows and nodes, which this process only reads.
 * Where they are is told by words that the whole tree can write, so each look is checked. */
#pragma once

#include "shared/layout.h"

/* The whole segment as it was mapped: from here on the tables of this process are read-only. Once a process,
 * before anything looks into them; 0 or a negative errno. */
int tables_protect(const struct segment *segment, uint64_t mapped_size);

/* The elements, so many of that size, at an offset from the segment's start; NULL when they do not all lie in
 * the tables. Any thread, handlers too. */
const void *tables_at(uint64_t offset, uint64_t count, size_t element_size);
