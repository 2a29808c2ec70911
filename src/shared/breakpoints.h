/* Progress points that the processor counts: hardware breakpoints, by perf. Part of the segment (layout.h).
 *
 * A program that was executed opens the events for itself and all that it will fork or start as threads: a
 * family, whose counters are one. At an address there is a counter, which is all that a visit meets as a rule.
 * When the controller wants an edge, it moves the alarms to the driver's addresses: the next visit there is
 * told by a signal, to the thread that makes it, and that takes the edge. An alarm takes one of the
 * processor's four breakpoints as well. */
#pragma once

#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define SEGMENT_ALARM_DATA 0x6d72616c61ull /* what the signal of an alarm carries */

enum {
    SEGMENT_BREAKPOINTS = 4, /* that an x86-64 has */
    SEGMENT_FAMILIES = 256,  /* that live at a time */
};

/* Written by the controller before the program starts. */
struct segment_breakpoint {
    uint64_t device, inode; /* of the program or library */
    uint64_t address;       /* the file's own, */
    uint64_t semaphore;     /* and where two bytes are to be raised there; 0: none */
    uint32_t point;         /* index of points: several breakpoints may be one point's */
    uint32_t reserved;
};

enum segment_family_state {
    FAMILY_NEW,    /* not open yet, or never */
    FAMILY_OPEN,   /* by its first process, and waits for the controller */
    FAMILY_SERVED, /* the controller has its events, too */
};

struct segment_family {
    alignas(64) _Atomic uint32_t pid; /* of the process that opened it; 0: the slot is free */
    _Atomic uint32_t state;           /* enum segment_family_state; waited for as a futex */
    /* Descriptors in that process; -1: there is none, for the file is not loaded. */
    int32_t counters[SEGMENT_BREAKPOINTS], alarms[SEGMENT_BREAKPOINTS];
    /* The end of a pipe that is read: its other end is kept by the family's processes until they end or execute
     * another program. */
    int32_t life;
    uint32_t reserved;
    uint64_t addresses[SEGMENT_BREAKPOINTS];         /* of the breakpoints, in that process */
    _Atomic uint64_t published[SEGMENT_BREAKPOINTS]; /* of the counters, what the points have */
};

struct segment_breakpoints {
    _Atomic uint32_t count;  /* 0: there are none, and nothing of this is looked at */
    uint32_t alarms;         /* of each family */
    _Atomic uint32_t failed; /* a positive errno: a family could not be opened, the latest; */
    _Atomic uint32_t lost;   /* the controller could not have its events */
    _Atomic uint32_t late;   /* some had threads already when they came to be opened */
    uint64_t cost_ns;        /* what a visit takes longer for its breakpoint, on this machine */
    struct segment_breakpoint items[SEGMENT_BREAKPOINTS];
    struct segment_family families[SEGMENT_FAMILIES];
};
