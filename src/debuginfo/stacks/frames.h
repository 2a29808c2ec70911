/* Which functions of a unit cover its code: at each address one that has code of its own, and those that were
 * inlined into it there. Private to debuginfo/. */
#pragma once

#include "debuginfo/dwarf/unit.h"
#include "debuginfo/sets/cover.h"

struct frame_entry {
    uint32_t outer;       /* the entry that it was inlined into; 0: it has code of its own */
    uint32_t call_source; /* of an inlined one, its call: index in the source table, 0: not known */
    uint32_t call_line;   /* 0: not known */
    uint64_t die;         /* offset in the .debug_info of unit->tree */
};

struct frames {
    struct frame_entry *entries; /* entries[0] is unused */
    size_t count;
    size_t room;
    struct cover_list covers; /* where they are; the value is the entry */
};

/* Reads those that cover any of `wanted`. UNIT_OK, UNIT_NO_MEMORY, or UNIT_BAD when the tree is broken; then
 * *frames has what was found before. Release it in every case. */
int unit_read_frames(struct unit *unit, struct source_table *sources, const struct range_list *wanted,
                     struct frames *frames);

/* The same, but they are handed over function by function, and forgotten: one with code of its own, with
 * what was inlined into it. False from the callee is UNIT_NO_MEMORY. */
int unit_each_function(struct unit *unit, struct source_table *sources, const struct range_list *wanted,
                       bool (*function)(void *context, struct frames *frames), void *context);
void frames_release(struct frames *frames);
