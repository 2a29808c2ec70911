/* In which regions a thread is, as the marks of the program say, and how long it works there: exact for microseconds,
 * by the processor's counter and not by samples. What is no work is taken off: waits in hooked calls, pauses, what the
 * runtime itself does, and the time in which the thread had no core, as its CPU clock tells at the next settlement.
 *
 * A region is the target from its first mark to its last: as much of the thread's time is in the target
 * (docs/design/ledger.md). Whatever the thread does there counts once, however often it has entered the region.
 *
 * A region that is entered more than fifty thousand times a second, and is not within another one, is timed at some of
 * its entries only, each of which speaks for many (thinning.h). Entries are all counted.
 *
 * All functions are for the calling thread, inside its guard or in its handler; all are async-signal-safe. Without a
 * word of it they make no system call. */
#pragma once

#include "runtime/clock/thinning.h"
#include "runtime/clock/ticks.h"
#include "runtime/ledger/account.h"

#include <stdbool.h>

enum {
    REGION_FRAMES = 64, /* regions within each other; entries right within itself take no place */
    REGION_TALLIES = 16,
    /* That much time in the target is settled at the latest, where marks come often. */
    REGION_STEP_NS = 20000,
};

/* A region that the thread is in. Times are in ticks of work. */
struct region_frame {
    struct segment_region *region;
    uint64_t began;      /* the time from here on is not told yet */
    uintptr_t at, stack; /* the mark that began it: where it was called from, and the address of its frame */
    uint32_t depth;      /* how often it was entered right within itself */
    uint32_t share;      /* its time counts so many times */
    bool is_inner;       /* the region is also further out: the time counts there */
};

/* The outermost region that the thread is in, when its clock was not read. */
struct region_passed {
    struct segment_region *region; /* NULL: there is none */
    uintptr_t at, stack;           /* as in region_frame */
    uint32_t depth;                /* how often it was entered within itself */
};

/* What the segment is not told yet. */
struct region_tally {
    struct segment_region *region;
    uint64_t count; /* entries; */
    uint64_t told;  /* so many of them it knows: a handler may tell it while a mark adds one */
    uint64_t ticks;
    struct thinning thinning; /* of its entries */
};

struct regions {
    uint64_t looked;  /* when the clock was last looked at, in ticks; 0: look more closely at the next mark */
    uint64_t off;     /* ticks that were no work */
    uint64_t stopped; /* the thread does no work since then; 0: it does */
    /* The moment at which both clocks were known, in ticks as well, and `off` then. */
    struct instant anchor;
    uint64_t anchor_ticks, anchor_off;
    segment_target word;           /* that the next four are of */
    struct segment_region *target; /* NULL: it is no region */
    uint32_t target_depth;         /* frames of it */
    uint32_t target_share;         /* of the outermost of these */
    uint64_t since, entered;       /* it is accounted for up to here; and it was entered then */
    uint64_t pending;              /* work in it that is not settled */
    bool is_long;                  /* it was long when it was left last, or is already: worth a ramp */
    bool has_ramp;
    bool is_used; /* the thread has passed a begin mark: for others hooks and samples do nothing here */
    bool is_over; /* the thread is ending: end marks need no beginning */
    uint32_t depth, too_deep;
    struct region_passed passed;
    uint64_t random;
    struct region_tally tallies[REGION_TALLIES];
    struct region_frame frames[REGION_FRAMES];
};

/* Of the process: set before the first mark. */
extern HIDDEN double regions_tick_ns;
/* Two looks so far apart: the thread may have lost its core (instant.h). */
extern HIDDEN uint64_t regions_long_ticks;

/* Chooses the clock, once for the process. Any thread. */
void regions_prepare(void);

static inline bool regions_are_open(const struct regions *regions)
{
    return regions->depth || regions->pending;
}

/* Whether the thread is in the target, or was lately. */
static inline bool regions_are_in_target(const struct regions *regions)
{
    return regions->target && (regions->target_depth || regions->pending);
}

/* Whether a mark must be looked at more closely: the thread may have been away since the last one, so many ticks ago, or
 * the target has changed. Of an entry that speaks for many it matters less, for it was in no region until now. */
static inline bool regions_must_look(const struct regions *regions, uint64_t since, uint32_t share)
{
    enum { LESS = 16 };
    return since >= (share > 1 ? LESS * regions_long_ticks : regions_long_ticks) ||
           regions->word != runtime_target();
}

/* The tally that is the region's, or might become. */
static inline struct region_tally *regions_tally_slot(struct regions *regions,
                                                      const struct segment_region *region)
{
    return &regions->tallies[(uintptr_t)region / sizeof *region % REGION_TALLIES];
}

/* regions_pass() of the region that was passed by already. */
bool regions_pass_again(struct regions *regions, struct segment_region *region, uintptr_t at,
                        uintptr_t stack);

/* A begin mark, called from `at`, whose frame lies at `stack`. True: this entry is passed by, and that is all. This and
 * the next need no guard: a handler with marks of its own may come in between. */
static inline bool regions_pass(struct regions *regions, struct segment_region *region, uintptr_t at,
                                uintptr_t stack)
{
    struct region_tally *tally = regions_tally_slot(regions, region);
    if (unlikely(regions->passed.region == region))
        return regions_pass_again(regions, region, at, stack);
    if (!thinning_passes(&tally->thinning) || unlikely(tally->region != region) || unlikely(regions->depth) ||
        unlikely(regions->passed.region) || unlikely(regions->word != runtime_target()))
        return false;
    thinning_pass(&tally->thinning);
    tally->count++;
    regions->passed = (struct region_passed){region, at, stack, 1};
    return true;
}

/* An end mark. True: the entry was passed by. If the thread is in regions then, they were left without a word: then
 * regions_close_inner(). */
static inline bool regions_end_passed(struct regions *regions, const struct segment_region *region)
{
    if (regions->passed.region != region)
        return false;
    if (--regions->passed.depth == 0)
        regions->passed.region = NULL;
    return true;
}

void regions_close_inner(struct regions *regions);

/* Any other begin mark. Returns for how many entries this one speaks. */
uint32_t regions_begin(struct regions *regions, struct segment_region *region, uint64_t now, uintptr_t at,
                       uintptr_t stack);

/* An end mark. Regions within it were left without a word, and are closed. */
void regions_end(struct regions *regions, struct segment_region *region, uint64_t now);

/* All regions were left without a word, for the thread ends. */
void regions_close(struct regions *regions);

/* The thread goes on in a child, in the regions that it is in; the parent keeps what they were so far. */
void regions_forked(struct regions *regions, const struct regions *parent, struct instant now);

/* Notices that the target has changed. */
void regions_follow(struct regions *regions);

/* What the thread does from that moment on is no work. False: it does none already. What the CPU clock lacks since the
 * last moment that was known is taken off. */
bool regions_stop(struct regions *regions, struct instant now);

/* The same at once, without a look at the CPU clock: it waits. */
void regions_stop_to_wait(struct regions *regions);

/* It goes on; `now`: both clocks, or NULL when the CPU clock is not known. */
void regions_go_on(struct regions *regions, const struct instant *now);

/* The time in the target that is to be settled now, in nanoseconds. */
uint64_t regions_take(struct regions *regions);

/* Whether others are to be told how the thread gets ahead: it is in the target, and for long. */
bool regions_climb(struct regions *regions);

/* Tells the segment what is known so far, regions that are still open included. */
void regions_tell(struct regions *regions);
