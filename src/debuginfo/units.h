/* All units of one file's DWARF, read by several threads. Private to debuginfo/. */
#pragma once

#include "debuginfo/elf_file.h"
#include "debuginfo/unit.h"

struct stack_builder;

struct units {
    struct source_table sources;  /* sorted by path */
    struct segment_list segments; /* sorted; two may overlap */
    bool has_lines;
    char warnings[1024]; /* a unit that could not be read is named here, by lines */
};

/* The result does not depend on how many threads there are; 0: as many as processors, and fewer for what is
 * small. stacks: receives whole stacks instead of units->segments; NULL: not wanted. 0 or -ENOMEM; release
 * *units in every case. */
int units_read(struct units *units, struct elf_file *file, const struct scope *scope, unsigned threads,
               struct stack_builder *stacks);

void units_release(struct units *units);
