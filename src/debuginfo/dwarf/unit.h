/* One unit of DWARF on its way to in-scope segments. Private to debuginfo/. */
#pragma once

#include <elfutils/libdw.h>

#include "debuginfo/dwarf/sections.h"
#include "debuginfo/dwarf/sources.h"
#include "debuginfo/sets/ranges.h"

struct file_map {
    uint32_t *sources; /* DWARF's file number -> index in the source table */
    size_t count;
    bool any_in_scope;
};

struct unit {
    const struct sections *sections; /* of the file that die is in */
    uint64_t header;                 /* offset of die's unit */
    Dwarf_Die die;                   /* has the line table */
    Dwarf_Die tree;          /* has the functions: the same, or the split unit of a skeleton. Not of one in
                              * a package, which libdw does not know: then this is die too */
    bool is_split;           /* the functions are in a split unit */
    struct sections split;   /* that it is in: a .dwo, or its own part of a package */
    uint64_t split_header;   /* its offset there */
    uint64_t offset;         /* to be added to DWARF's addresses */
    const char *directory;   /* of the compilation; NULL if not said. Only die has it, not a split unit */
    struct file_map files;   /* of die */
    struct range_list code;  /* where the unit can have code */
    bool tells_code;         /* because it says so, not because it may be anywhere */
    bool keeps_all_lines;    /* unit_read_lines() takes what is not in scope for in scope */
    struct range_list holes; /* code whose own line is not in scope: its callers decide */
};

enum { UNIT_OK, UNIT_BAD, UNIT_NO_MEMORY };

/* Finds the split unit of a skeleton: the one that libdw has found (unit->tree, if that has an address), else
 * that in the package. False when it is in neither. */
struct package;
bool unit_find_split(struct unit *unit, const struct package *package, uint64_t unit_id);
