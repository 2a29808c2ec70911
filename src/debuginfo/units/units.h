/* All units of one file's DWARF, read by several threads. Private to debuginfo/. */
#pragma once

#include "debuginfo/dwarf/unit.h"
#include "debuginfo/elf/elf_file.h"
#include "debuginfo/lines/lines.h"

struct stack_builder;
struct place_names;

struct units {
    struct source_table sources;     /* sorted by path */
    struct line_range_list segments; /* sorted; two may overlap */
    bool has_lines;
    char warnings[1024]; /* a unit that could not be read is named here, by lines */
};

/* The result does not depend on how many threads there are; 0: as many as processors, and fewer for what is
 * small. stacks: receives whole stacks instead of units->segments; NULL: not wanted. 0 or -ENOMEM; release
 * *units in every case. */
int units_read(struct units *units, struct elf_file *file, const struct scope *scope, unsigned threads,
               struct stack_builder *stacks);

/* Reads no more than names the places, a unit at a time: one may be megabytes, and this is for the end of a
 * run, when nobody waits. 0 or -ENOMEM. */
int units_name_places(struct place_names *names, struct elf_file *file, const struct scope *scope);

void units_release(struct units *units);
