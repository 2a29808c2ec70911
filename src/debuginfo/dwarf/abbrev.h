/* The abbreviations of one unit (.debug_abbrev): which attributes its entries have, in which form. Private to
 * debuginfo/. */
#pragma once

#include "debuginfo/dwarf/cursor.h"
#include "debuginfo/dwarf/unit.h"

struct abbrev_attribute {
    uint16_t name;
    uint16_t form;
    int64_t constant; /* of DW_FORM_implicit_const */
};

struct abbrev {
    uint32_t tag; /* 0: there is no such abbreviation */
    bool has_children;
    bool wanted;    /* the caller's: its attributes are read, not skipped */
    uint32_t first; /* index of its first attribute */
    uint32_t count;
    uint32_t fixed_size; /* of all its attributes, UINT32_MAX when that is not always the same */
};

struct abbrev_table {
    struct abbrev *items; /* by code */
    size_t count;
    struct abbrev_attribute *attributes;
    size_t attribute_count, attribute_room;
};

/* The sizes that the forms of a unit depend on. */
struct form_sizes {
    uint8_t version;
    uint8_t address;
    uint8_t offset; /* 4, or 8 in 64-bit DWARF */
};

/* UNIT_OK, UNIT_BAD or UNIT_NO_MEMORY. Release it in every case. */
int abbrev_table_read(struct abbrev_table *table, const struct section *section, uint64_t offset,
                      struct form_sizes sizes);
void abbrev_table_release(struct abbrev_table *table);

/* Passes over a value. Sets bad for a form that is not known. */
void form_skip(struct cursor *at, uint64_t form, struct form_sizes sizes);

/* The value of a constant, an address index, an offset or a flag; other forms are passed over, and give 0. */
uint64_t form_number(struct cursor *at, const struct abbrev_attribute *attribute, struct form_sizes sizes);
