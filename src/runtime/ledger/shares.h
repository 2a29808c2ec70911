/* How much of a stretch (stretch.h) lies in the target: learnt from the samples of all stretches between the
 * same two places of the program, in any thread of the process, and corrected by the stretch's own samples as
 * far as stretches between these places differ from each other.
 *
 * Any thread, handlers too; lock free. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* The samples of one stretch, or of many. */
struct evidence {
    uint32_t samples, hits;
    uint32_t after_hits, hits_again; /* samples right after a hit in the same stretch; of those, hits */
};

/* One more sample of a stretch; *last: whether the one before it was a hit. */
void evidence_add(struct evidence *evidence, bool hit, bool *last);

/* A stretch of the target has ended. */
void shares_learn(uint32_t target, uintptr_t from, uintptr_t to, const struct evidence *own);

/* The share of the target in a stretch between the two places. While they are new, that in all stretches. */
double share_between(uint32_t target, uintptr_t from, uintptr_t to, const struct evidence *own);

/* The share in a stretch that began there and goes on, or below 0 while too little is known of it. */
double share_so_far(uint32_t target, uintptr_t from, const struct evidence *own);
