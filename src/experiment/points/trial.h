/* When nobody says where the program makes progress: all calls that could be points are counted for a while,
 * and those that look like units of work are told. For the controller's thread. */
#pragma once

#include "shared/layout.h"

#include <stddef.h>

enum { TRIAL_SLICES = 50, TRIAL_SLICE_NS = 100000000, TRIAL_MOST = 5 };

/* A call that the program makes again and again. */
struct trial_call {
    unsigned call; /* enum segment_call */
    double rate;   /* calls that did what they are for, a second */
    double spread; /* of its rate from slice to slice, in parts of it, beyond what chance makes; NAN: too
                         short to tell */
};

enum trial_state {
    TRIAL_NONE, /* there is a point: nothing is tried */
    TRIAL_GOES_ON,
    TRIAL_OVER,     /* no point was visited meanwhile, */
    TRIAL_NEEDLESS, /* or one was */
};

/* How often a call was made in a slice. */
struct trial_count {
    uint32_t calls;
    float seconds; /* how long the slice was; 0: the call was not counted */
};

/* Begins as zeroes. */
struct trial {
    enum trial_state state;
    struct segment *segment;
    uint64_t looked_ns;
    unsigned slices;
    struct trial_count counts[TRIAL_SLICES][SEGMENT_CALL_COUNT];
    uint64_t seen[SEGMENT_CALL_COUNT];
    unsigned rests[SEGMENT_CALL_COUNT]; /* for so many slices it is not counted */
};

/* Before the program runs: the runtime counts all calls from here on. */
void trial_begin(struct trial *trial, struct segment *segment, uint64_t now_ns);

/* To be called several times a slice. It ends after all slices, or when a point was visited. True when it has
 * just ended without one. */
bool trial_look(struct trial *trial, uint64_t now_ns);

/* Ends it now, if it goes on: the program has ended. */
void trial_end(struct trial *trial, uint64_t now_ns);

/* What looks most like a unit of work, the best first: how many there are. What a program did at its start
 * counts for nothing. */
size_t trial_rank(const struct trial *trial, struct trial_call calls[TRIAL_MOST]);
