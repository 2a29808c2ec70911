/* Where a breakpoint counts how often a line is executed.
 *
 * A compiler cuts a line's code into pieces, moves some of them, and copies all of it where it inlines the
 * function. The rule: in each function, and in each inlined copy of it, the line counts at one address. Of
 * those that the line table recommends for breakpoints (is_stmt) and at which a piece of the line begins it is
 * the lowest, in the part of the function that it is entered by: a part that was moved away because it is
 * hardly ever executed (.cold) comes last, wherever it lies. The line in the head of a loop therefore counts
 * as debuggers stop there: where the loop is entered. */
#pragma once

#include "debuginfo/elf/elf_file.h"
#include "debuginfo/places/entries.h"

struct line_entries {
    struct entry_list list;
    bool has_lines; /* the file has line tables */
    bool has_file;  /* and a source of that name has code */
    char source[256];
    unsigned below, above; /* without an entry: the nearest lines that have one; 0: there is none */
};

/* file may be any trailing part of the source's path that begins at a '/'. 0, or -ENOMEM; release *entries in
 * every case. */
int line_entries_find(struct elf_file *elf, const char *file, unsigned line, struct line_entries *entries);

/* A piece of the line that may be one of its entries. */
struct line_piece {
    uint64_t address;
    uint64_t scope;       /* the function, or the inlined copy, that it is of */
    bool is_in_main_part; /* of it: the one that it is entered by */
};

/* Adds those that the rule chooses. False when memory is out. Pure. */
bool line_entries_choose(const struct line_piece *pieces, size_t count, struct entry_list *list);
