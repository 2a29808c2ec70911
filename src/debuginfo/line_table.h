/* What the debug information of one module comes to: the rows of its code, the sites that they name, and what
 * is worth telling about it. Sites are numbered within the table, so that it can be made in any thread and
 * kept on disk; debuginfo_load_sites() gives them the numbers of the run. Private to debuginfo/. */
#pragma once

#include "debuginfo/units/units.h"
#include "shared/tables.h"

/* A string is the offset of its first byte in `strings`. */
struct line_site {
    uint32_t file;
    uint32_t line;
};

struct line_table {
    struct site_row *rows; /* sorted, not overlapping; .site is an index of sites */
    size_t row_count;
    struct line_site *sites; /* sorted by file, then line; sites[0] is unused */
    size_t site_count;
    uint32_t *sources; /* strings: all files that have code, in scope or not */
    size_t source_count;
    char *strings; /* strings[0] is "" */
    size_t string_size;
    bool has_lines; /* the file has line tables, in scope or not */
    void *block;    /* NULL, or the one piece of memory that all of the above lie in */
    char warnings[1024];
};

/* Makes the table of what was read; units->segments are taken over. 0 or -ENOMEM. */
int line_table_make(struct line_table *table, struct units *units);

/* True when every number in it can be used: what comes from a disk may be anything. */
bool line_table_is_sound(const struct line_table *table);

void line_table_release(struct line_table *table);
