/* Which pairs of marks are timed, where they come so often that reading the clock at each would take a good part of
 * what it measures. Then one of many is timed, drawn at random, and speaks for all of them: what is found is right in
 * the mean, however long the pairs are and whatever rhythm they have.
 *
 * How many it speaks for must not depend on how long it takes itself, nor on how many were passed by before it. So both
 * are settled beforehand: timed pairs are `share` pairs apart in the mean, and each counts `share` times.
 *
 * For marks of one thread that are of one kind. Async-signal-safe. */
#pragma once

#include "base/random.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    THINNING_APART_NS = 100000, /* between two that are timed, in the mean */
    THINNING_MOST = 64,         /* pairs that one speaks for, */
    THINNING_LEAST = 5, /* and where it would be fewer than these, it is worth nothing: all are timed */
};

/* All zeros: each is timed. */
struct thinning {
    uint64_t timed;   /* when the last one began that was timed, in ticks; 0: none was */
    uint32_t passing; /* so many are still to be passed by, */
    uint32_t passed;  /* of so many in all, */
    uint32_t share;   /* before one that speaks for so many; 0: only for itself */
};

/* Whether the pair that begins now is to be passed by; then thinning_pass(). */
static inline bool thinning_passes(const struct thinning *thinning)
{
    return thinning->passing > 0;
}

static inline void thinning_pass(struct thinning *thinning)
{
    thinning->passing--;
}

/* The pair that begins now is timed. Returns for how many it speaks, and chooses how many are passed by after it. */
static inline uint32_t thinning_take(struct thinning *thinning, uint64_t now, uint64_t apart,
                                     uint64_t *random)
{
    uint32_t share = thinning->share ? thinning->share : 1;
    uint64_t each = thinning->timed ? (now - thinning->timed) / (thinning->passed + 1) : apart;
    uint64_t fit = apart / (each ? each : 1);
    thinning->timed = now;
    thinning->share = fit > THINNING_MOST ? THINNING_MOST : fit >= THINNING_LEAST ? (uint32_t)fit : 1;
    thinning->passed = (uint32_t)random_below(random, 2 * (size_t)thinning->share - 1);
    thinning->passing = thinning->passed;
    return share;
}

/* Each pair from here on is timed, until it is known again how often they come. */
static inline void thinning_end(struct thinning *thinning)
{
    *thinning = (struct thinning){0, 0, 0, 0};
}
