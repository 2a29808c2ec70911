/* What a unit's line program says: which code belongs to which line. Private to debuginfo/. */
#pragma once

#include "debuginfo/dwarf/unit.h"
#include "debuginfo/lines/line_header.h"

/* [start, end) belongs to the line. */
struct line_range {
    uint32_t start;
    uint32_t end;
    uint32_t source; /* index in the source table */
    uint32_t line;
};

struct line_range_list {
    struct line_range *items;
    size_t count;
    size_t room;
};

/* Joins the segment to the last one when it goes on with it. False when memory is out. */
bool line_range_list_add(struct line_range_list *list, struct line_range segment);

/* Reads the file table of the split unit. UNIT_OK, UNIT_BAD or UNIT_NO_MEMORY. Release it in every case. */
int file_map_read(struct file_map *map, const struct unit *unit, struct source_table *sources);
void file_map_release(struct file_map *map);

/* Runs the line program: what is in scope goes to *out, the rest to unit->holes (sorted). */
int unit_read_lines(struct unit *unit, const struct line_header *header, struct source_table *sources,
                    struct line_range_list *out);
