/* A stretch: what a thread runs between two hooked calls. How much of a stretch lies in the target is learnt
 * from samples, over all stretches between the same two places of the program; so each stretch can step by
 * its own share, at its end, before anybody is woken or a lock is given back. A sample alone stands for a
 * whole period: in programs that meet more often than that, others would pay in lumps, and a maximum turns
 * lumps into bias (docs/design/ledger.md).
 *
 * A stretch that outlasts a few samples steps at these, by the time that those stand for which fell into the target.
 * Its beginning has been settled by what is learnt by then, which holds for all of a stretch and not for its beginning;
 * so from then on what it has stepped by is made equal to what its samples have found, and what was too much is taken
 * off what comes.
 *
 * Where targets are threads nothing has to be learnt: a stretch lies in the target, or it does not.
 *
 * All functions are for the calling thread, inside its guard or in its handler, and make at most one system
 * call, which reads a clock. */
#pragma once

#include "runtime/ledger/account.h"
#include "runtime/ledger/shares.h"

struct stretch {
    bool followed;
    bool is_long;         /* it settles at its samples */
    uint32_t target;      /* site that the counts are of */
    struct instant since; /* up to here it is settled */
    uintptr_t from;       /* where it began: a return address */
    struct evidence own;  /* in all of it */
    bool last_hit;        /* the last of those */
    uint64_t learnt_ns;   /* in the target, by what is learnt, so far */
    uint64_t found_ns;    /* by its own samples */
    uint64_t stepped_ns;  /* what it has stepped by, and what earlier stretches had stepped too much by */
    uint32_t misses;      /* samples in a row, over many stretches */
    /* Where targets are threads: this one is in the target, with all it runs. Where it is a region: it is in it, and
     * for long. */
    bool is_named;
};

/* The thread hardly runs: it follows its stretches no longer, until a sample falls into the target, or there is another.
 * False when its samples, or those of others in the same place, say that part of it is in the target: it goes on. */
bool stretch_drop(struct stretch *stretch);

/* The thread follows its stretches, while there is a target that it may run. */
static inline bool stretch_is_followed(const struct stretch *stretch)
{
    return stretch->followed;
}

/* A new thread: its life is its first stretch, and that of the target. */
void stretch_start(struct stretch *stretch, uint32_t target, uintptr_t from, struct instant now);

/* Where targets are threads: whether this one is in the target from here on. */
void stretch_name(struct stretch *stretch, uint32_t target, bool is_target, struct instant now);

/* Where the target is a region (regions.h), which tells by itself what lies in it: the thread has been in it since the
 * last call, or has not. */
void stretch_mark(struct stretch *stretch, uint32_t target, bool is_target, struct instant now);

/* A sample during an experiment with the target, that stands for so much CPU time; hit: in the target. Returns the CPU
 * time in the target that is to be settled now. */
uint64_t stretch_sample(struct stretch *stretch, uint32_t target, bool hit, uint64_t weight_ns,
                        struct instant now);

/* A stretch ends, and the next begins, at a hooked call made from `at` at that moment. Returns the CPU time in the target
 * that is to be settled. */
uint64_t stretch_turn(struct stretch *stretch, uintptr_t at, struct instant now);

/* Tells the others how fast the thread gets ahead from here on (ramp.h). */
void stretch_publish(const struct stretch *stretch, struct account *account);

/* The time between the two moments was ours, not the program's. */
void stretch_skip(struct stretch *stretch, struct instant from, struct instant to);

/* Nothing of what the thread ran in this stretch up to now was work: it begins now. */
void stretch_anew(struct stretch *stretch, struct instant now);

/* The thread is back from a call that may have blocked. */
void stretch_waited(struct stretch *stretch, struct instant now);
