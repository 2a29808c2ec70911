/* What is kept of a thread that passes marks. */
#pragma once

#include "regions/marks/experiment.h"
#include "runtime/clock/thinning.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    LOG_SIZE = 512,   /* of spans that overlap.c has not seen yet; a power of two */
    TALLY_CHUNK = 64, /* tallies that are allocated together */
    TALLY_CHUNKS = REGION_LIMIT / TALLY_CHUNK,
};

/* Of one region, in one thread. Written by the thread; the sums are read by others, too. */
struct tally {
    uint64_t count,
        ticks;       /* entries, and time in it, less pauses; recursion counts once. OVERLAP: while watched */
    uint32_t inside; /* frames of the stack that are of this region */
    struct thinning thinning; /* of entries that are in no other region */
};

/* A region that the thread is in. */
struct frame {
    struct region *region; /* NULL: below the first */
    struct tally *tally;
    uint64_t began, paused; /* when (0: not known), and how long the thread had paused by then, in ticks */
    uint32_t depth;         /* how often it was entered right within itself */
};

/* Where a thread is, as far as the target is concerned. */
enum whereabouts { NOWHERE, ELSEWHERE, IN_TARGET };

/* A time in which it stayed there. */
struct span {
    uint64_t begin, end;
};

struct logged {
    struct span span;
    enum whereabouts where;
};

struct region_thread {
    /* The thread's own. */
    uint32_t number; /* of the experiment that it follows */
    struct experiment experiment;
    struct frame *frames, *top, *limit; /* frames[0] is no region; limit: the last one */
    uint32_t target_depth;              /* frames of the target */
    uint32_t share; /* time in the present regions counts so many times; 0: their clock is not read */
    uint64_t random;
    /* OVERLAP: the watch that it takes part in, and the last one that was over when it passed a mark. */
    uint32_t watch, left;
    enum whereabouts where;
    uint64_t since;  /* OVERLAP: when it went there */
    uint64_t paused; /* ticks that it paused in all its life */
    uint64_t last;   /* SPIN: its time is accounted for until then */
    double owed;     /* SPIN: ticks that it has yet to pause */
    /* OVERLAP: ticks that it paused in this experiment, and `overlap` when it began. Where watches are short: when it
     * paid last, ends of regions since then, and how many of them are still to pass without a look. */
    uint64_t paid, overlap_before, paid_at;
    uint32_t ends, passing;
    struct tally *chunks[TALLY_CHUNKS]; /* each is written once, atomically */
    struct region_thread *next;         /* of all; never changes */
    bool taken;                         /* atomic: a thread uses it */

    /* Published by the thread for overlap.c: its spans, and since when it has been where it is. */
    struct logged log[LOG_SIZE];
    uint64_t head; /* atomic: spans logged so far */
    uint64_t open; /* atomic: since when it is there, twice, and 1 more in the target; 0: it is nowhere */
    uint32_t open_watch; /* atomic: the watch that it took part in last */
    uint64_t stays; /* atomic: where it is, also while nobody watches, and 4 times the experiment's number */

    /* Written by overlap.c. */
    uint64_t tail __attribute__((aligned(64))); /* atomic: spans seen so far */
    uint64_t overlap;                           /* atomic: ticks elsewhere while the target was on */
    uint64_t seen_head, seen_open, judged_head;
    enum whereabouts seen_where, began_where; /* when the watch began */
};

/* The calling thread's; NULL when it has passed no mark yet. */
extern _Thread_local struct region_thread *thread_mine;

struct thread_events {
    void (*ends)(void *thread); /* the thread is about to end; then thread_release() */
    void (*forked)(void);       /* in the child; other threads are not there */
};

/* Makes the calling thread's. NULL: no memory. The events are the same at each call. */
struct region_thread *thread_begin(const struct thread_events *events);
void thread_release(struct region_thread *thread);

/* All that there ever were, those of ended threads too. */
struct region_thread *thread_first(void);

/* NULL: no memory. */
struct tally *thread_make_tally(struct region_thread *thread, const struct region *region);

/* More room for frames; false: no memory. */
bool thread_deepen(struct region_thread *thread);

static inline struct tally *thread_tally(struct region_thread *thread, const struct region *region)
{
    struct tally *chunk = thread->chunks[region->id / TALLY_CHUNK];
    return chunk ? &chunk[region->id % TALLY_CHUNK] : thread_make_tally(thread, region);
}

/* How many regions the thread is in; each counts once, however often it was entered right within itself. */
static inline size_t thread_depth(const struct region_thread *thread)
{
    return (size_t)(thread->top - thread->frames);
}
