/* The names of a unit's functions, as far as its frames need them. Private to debuginfo/. */
#pragma once

#include "debuginfo/stacks/frames.h"

struct unit_function {
    char *name;      /* NULL: it has none */
    uint32_t source; /* that it is declared in: index in the source table, 0: not known */
    bool is_local;   /* the name begins with its file */
    bool is_plain;   /* it has no symbol: the name is without what is around it */
    uint64_t origin; /* offset of its declaration, if that is in the unit's own tree */
};

struct unit_functions {
    struct unit_function *items; /* items[0] is the unknown one */
    size_t count, room;
    uint32_t *of_entry; /* of each of the frames' entries: index of items */
};

/* Finds names by libdw, which follows them through abstract instances and declarations, in other units and
 * files too. False when memory is out. Release it in every case. */
bool unit_read_functions(const struct unit *unit, const struct frames *frames, struct source_table *sources,
                         struct unit_functions *functions);
void unit_functions_release(struct unit_functions *functions);
