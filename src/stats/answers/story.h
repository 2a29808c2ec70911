/* Which runs a profile holds, and what was tried in them when: fed with records as they come. No I/O. */
#pragma once

#include "profile/record.h"

#include <stddef.h>

struct story_run {
    uint64_t time_ns;                      /* when it began, on the wall clock, since 1970; 0: unknown */
    char *program, *sampler, *granularity; /* owned; NULL: the profile does not tell */
    uint64_t runtime_ns;                   /* 0: its end was not seen */
    uint64_t tried_ns;                     /* its windows together, with what settled before each */
    uint64_t windows;
};

/* Windows of one target one after the other. */
struct story_piece {
    size_t run;
    const char *kind, *location;  /* owned by the story */
    uint64_t start_ns, length_ns; /* from the run's first window on, as if nothing lay between windows */
    uint64_t windows;
};

struct story;

struct story *story_new(void); /* NULL when memory is out */
void story_free(struct story *story);
int story_add(struct story *story, const struct profile_record *record); /* 0 or -ENOMEM */

/* In the order in which they were read. Valid until the next record. */
size_t story_runs(const struct story *story, const struct story_run **runs);

/* Writes at most `most` pieces (of which there may not be fewer than runs): where there are more, some
 * neighbours of one run are one piece, of the target that had most of its time. Returns how many. */
size_t story_pieces(const struct story *story, struct story_piece *pieces, size_t most);
