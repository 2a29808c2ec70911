/* The functions that single places of a file's code are in, each by the function that has the wanted line
 * there. Of a unit only the names that its places need are read, and only those of the places stay. Private
 * to debuginfo/. */
#pragma once

#include <pthread.h>

#include "debuginfo/dwarf/unit.h"
#include "debuginfo/lines/line_header.h"
#include "debuginfo/sets/ranges.h"
#include "debuginfo/stacks/place.h"

struct place_names {
    struct debuginfo_place *places; /* sorted by address; somebody else's */
    size_t count;
    struct range_list code; /* of the places */
    pthread_mutex_t lock;   /* of all below, and of the places' functions */
    size_t *named_by;       /* of each place: 1 + the number of the unit whose word counts; 0: none yet */
};

/* The places are sorted by address. False when memory is out. Release in every case, which leaves the names
 * in the places. */
bool place_names_init(struct place_names *names, struct debuginfo_place *places, size_t count);
void place_names_release(struct place_names *names);

/* Names the places that lie in unit->code, unless an earlier unit has. number: of the unit. As
 * unit_read_lines(). Any thread. */
int place_names_add_unit(struct place_names *names, struct unit *unit, size_t number,
                         const struct line_header *header, struct source_table *sources);
