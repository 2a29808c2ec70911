/* Walking the entries of one unit (.debug_info, DWARF 2 to 5), as fast as they can be passed over: libdw
 * takes some eight times as long, which would be all of a start. Only what inlining and functions need is
 * read. Private to debuginfo/. */
#pragma once

#include "debuginfo/dwarf/abbrev.h"

struct tree {
    struct tree_sections sections;
    struct form_sizes sizes;
    struct abbrev_table abbrevs;
    struct cursor unit; /* its first entry; .end is the end of the unit */
    uint64_t header;    /* offset of the unit */
    uint64_t low_pc;    /* what range lists begin with */
    uint64_t address_base;
    uint64_t range_base; /* of indices; in split DWARF 4, of offsets */
};

struct tree_range {
    uint64_t start;
    uint64_t end;
};

/* What was read of an entry. */
struct tree_entry {
    uint32_t tag; /* 0: the end of a list of children */
    bool has_children;
    bool has_low, has_high, high_is_size, has_ranges, ranges_is_index;
    uint64_t low, high, ranges;
    uint64_t call_file, call_line;
    uint64_t sibling; /* offset in the section; 0 when it does not say */
};

/* Reads the header of the unit at the offset, and its abbreviations. UNIT_OK, UNIT_BAD or UNIT_NO_MEMORY. The
 * sections and bases are to be set before. Release it in every case. */
int tree_open(struct tree *tree, uint64_t offset);
void tree_release(struct tree *tree);

/* Is the tag one whose entries have code, or may have such entries below? Others' attributes are not read. */
bool tree_tag_is_code(uint32_t tag);
bool tree_tag_is_scope(uint32_t tag);

/* Reads the entry at the cursor, which goes on to the next one. False at the end, or when it is broken. */
bool tree_next(const struct tree *tree, struct cursor *at, struct tree_entry *entry);

/* Passes over the children of the entry that was just read. */
bool tree_skip_children(const struct tree *tree, struct cursor *at, const struct tree_entry *entry);

/* Calls add for each range of the entry; false when it returned false. */
bool tree_ranges(const struct tree *tree, const struct tree_entry *entry,
                 bool (*add)(void *context, struct tree_range range), void *context);

/* Opens the unit's tree, which is that of its split unit if it has one. As tree_open(). */
int tree_open_unit(struct tree *tree, const struct unit *unit);
