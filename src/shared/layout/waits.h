/* Waits, and regions that the program marks: what is counted beside samples. Part of layout.h. */
#pragma once

#include "shared/layout/limits.h"

#include <stdalign.h>
#include <stdatomic.h>
#include <stdint.h>

/* ---- waits (waits.h) ---- */

/* What a hooked call waits for. */
enum wait_class {
    WAIT_NONE,
    WAIT_LOCK,
    WAIT_CONDITION, /* semaphores, barriers and futexes as well */
    WAIT_READ,
    WAIT_WRITE,
    WAIT_SYNC, /* storage */
    WAIT_POLL, /* connections, and whatever of several descriptors */
    WAIT_SLEEP,
    WAIT_CHILD, /* the end of a process or thread */
    WAIT_SIGNAL,
    WAIT_OTHER, /* announced by COZ_PRE_BLOCK */
    WAIT_QUEUE, /* for a core: in no call, and nowhere in the tables; a target all the same */
    WAIT_CLASSES
};

/* All waits of one class that were begun at one place, and took long enough to count. */
struct segment_wait {
    alignas(64) _Atomic uint64_t key; /* the class in the high half, the place's site in the low; 0: free */
    _Atomic uint64_t count, ns;
    _Atomic uint64_t baseline_ns; /* the part of ns that fell when nothing was sped up */
    _Atomic uint32_t target;      /* its number as a target, which the controller gives; 0: it has none */
    _Atomic uint32_t matters;     /* 1: a thread waited so that visits, or lets others go on */
};

/* Which of them a thread ended that came from there, and had itself waited at that place meanwhile. */
struct segment_wake {
    _Atomic uint64_t key; /* wake_key() in waits.h; 0: free */
    _Atomic uint64_t count, ns;
};

/* What the threads that ran a site waited for: its CPU time, times the part of their lives that they spent so. */
struct segment_await {
    _Atomic uint64_t key; /* await_key() in waits.h; 0: free */
    _Atomic uint64_t ns;
};

/* ---- regions (region_slots.h) ---- */

/* A region that the program marks. Its counts are exact, but for what threads have yet to tell: they do so at their
 * samples. */
struct segment_region {
    alignas(64) _Atomic uint64_t key; /* a hash of the name; 0: free */
    _Atomic uint32_t state;           /* enum segment_slot_state */
    _Atomic uint32_t target;          /* its number as a target, which the controller gives; 0: it has none */
    _Atomic uint64_t count;           /* entries */
    _Atomic uint64_t ns;              /* CPU time in it, of all threads together; recursion counts once */
    _Atomic uint64_t baseline_ns;     /* the part of ns that fell when nothing was sped up */
    _Atomic uint64_t left_open;       /* entries that never came to an end mark, and were closed */
    _Atomic uint64_t never_begun;     /* end marks without a beginning */
    char name[SEGMENT_REGION_NAME];
};
