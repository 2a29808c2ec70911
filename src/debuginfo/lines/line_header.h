/* The header of one unit's line program (.debug_line, DWARF 2 to 5). libdw reads programs too, but sorts and
 * keeps every row of them, which takes half of the time of a start and most of its memory. Private to
 * debuginfo/. */
#pragma once

#include "debuginfo/dwarf/cursor.h"
#include "debuginfo/dwarf/unit.h"

struct line_header {
    struct cursor program; /* the instructions */
    uint8_t address_size;
    uint8_t least_length; /* of an instruction */
    int8_t line_base;
    uint8_t line_range;
    uint8_t opcode_base;
    const uint8_t *opcode_lengths; /* of opcode i at [i - 1] */
};

/* Reads the header at the offset, and the file table into *files. UNIT_OK, UNIT_BAD with *why, or
 * UNIT_NO_MEMORY. */
int line_header_read(struct line_header *header, const struct unit *unit, uint64_t offset,
                     struct source_table *sources, struct file_map *files, const char **why);
