/* Which runs a profile holds, on what machine, and what was tried in them when: fed with records as they come.
 * No I/O. */
#pragma once

#include "profile/record.h"
#include "stats/answers/slices.h"

#include <stddef.h>

/* What the user was told while a run went on, or after its end. */
struct story_remark {
    uint64_t at_ns;      /* since its start */
    char *text, *remedy; /* owned; NULL: there is no remedy */
};

struct story_run {
    uint64_t time_ns;                      /* when it began, on the wall clock, since 1970; 0: unknown */
    char *program, *sampler, *granularity; /* owned; NULL: the profile does not tell */
    uint64_t runtime_ns;                   /* 0: its end was not seen */
    uint64_t tried_ns;                     /* its windows together, with what settled before each */
    uint64_t windows;
    uint64_t discarded; /* windows that were thrown away */
    /* The machine, where the profile tells. */
    uint64_t cores, allowed;      /* 0: unknown; as many as there are unless fewer could be used */
    char *model;                  /* owned; NULL: unknown */
    double load;                  /* before the run, in tasks; NAN: unknown */
    double others, stolen;        /* shares of all cores' time during the run, 0..1; NAN: unknown */
    struct slices *slices;        /* owned; NULL: windows do not tell when they were */
    struct story_remark *remarks; /* owned */
    size_t remark_count, remark_capacity;
};

/* Windows of one target one after the other. */
struct story_piece {
    size_t run;
    const char *kind, *location;  /* owned by the story */
    uint64_t start_ns, length_ns; /* from the run's first window on, as if nothing lay between windows */
    uint64_t windows;
    /* The same in real time since the run's start, what lay between windows and was thrown away with it; and
     * what part of the windows' time was stolen. Real time 0 and NAN: unknown. */
    uint64_t began_ns, lasted_ns;
    double stolen;
};

struct story;

struct story *story_new(void); /* NULL when memory is out */
void story_free(struct story *story);
int story_add(struct story *story, const struct profile_record *record); /* 0 or -ENOMEM */

/* In the order in which they were read. Valid until the next record. */
size_t story_runs(const struct story *story, const struct story_run **runs);

/* Hashes of a source file, in hexadecimal; "": not the same in all runs; NULL: none tells. */
struct story_source {
    char *sha256; /* when they ended */
    char *md5;    /* when it was compiled */
};
struct story_source story_source(const struct story *story, const char *path);

/* Writes at most `most` pieces (of which there may not be fewer than runs): where there are more, some
 * neighbours of one run are one piece, of the target that had most of its time. Returns how many. */
size_t story_pieces(const struct story *story, struct story_piece *pieces, size_t most);
