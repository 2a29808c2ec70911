/* Threads, processes and cores: the ledger's accounts, and what one says to the others. Part of layout.h. */
#pragma once

#include "shared/layout/limits.h"

#include <stdalign.h>
#include <stdatomic.h>
#include <stdint.h>

/* ---- threads: the ledger's accounts ---- */

enum segment_thread_flag {
    THREAD_BLOCKED = 1, /* inside a hooked call that waits: its debt is settled when it wakes */
};

struct segment_thread {
    alignas(64) _Atomic uint64_t owner; /* whose it is (thread_slots.h) */
    _Atomic uint64_t paid_ns;
    _Atomic uint32_t flags;
    /* The wake that it made last (waits.h): its site, when, and of who waits for which object (a part of its
     * address). What it does through descriptors is kept apart: it often wakes by both, one after the other. */
    _Atomic uint32_t woke_from, woke_object;
    _Atomic uint32_t waited_at; /* the last place at which it waited: one more than its index in `waits` */
    _Atomic uint64_t woke_ns;
    /* When it last wrote bytes or connected, what the required delay was then, and at which site. */
    _Atomic uint64_t wrote_ns, wrote_required_ns;
    _Atomic uint32_t wrote_from;
    alignas(64) _Atomic uint64_t waited_until_ns;
    _Atomic uint64_t began_ns;  /* CLOCK_MONOTONIC */
    _Atomic uint64_t lifted_ns; /* its balance is this at least: a wait that it ended was shortened */
};

/* The number of a thread or process of another PID namespace means somebody else in the controller's: there
 * it carries a tag, made of the namespace, above the largest number that the kernel gives. So it is nobody's
 * in any other namespace, and asking the kernel about it finds no one. */
enum { SEGMENT_PID_BITS = 22, SEGMENT_PID_TAGS = (1 << (31 - SEGMENT_PID_BITS)) - 1 };

/* tag: 0 in the controller's own namespace, up to SEGMENT_PID_TAGS. */
static inline uint32_t segment_number(uint32_t pid, uint32_t tag)
{
    return pid | tag << SEGMENT_PID_BITS;
}

static inline uint32_t segment_number_tag(uint32_t number)
{
    return number >> SEGMENT_PID_BITS;
}

/* What it is in its own namespace. */
static inline uint32_t segment_number_pid(uint32_t number)
{
    return number & ((1u << SEGMENT_PID_BITS) - 1);
}

/* ---- processes ---- */

/* What one process did of what the points and samples count for all. The n-th that joined is at n - 1. */
struct segment_process {
    alignas(64) _Atomic uint32_t pid; /* written last; 0: free */
    uint32_t parent;
    _Atomic uint64_t samples, samples_ns;
    char program[SEGMENT_PROGRAM];
    alignas(64) _Atomic uint64_t visits[SEGMENT_POINTS];
    _Atomic uint64_t entered[SEGMENT_POINTS], sums_ns[SEGMENT_POINTS]; /* as a point's own */
};

/* ---- channels between threads of the tree ---- */

/* A bucket of a set of words (shared/word_set.h). */
struct segment_words {
    alignas(64) _Atomic uint64_t next; /* counts what was added: the place of the next one */
    _Atomic uint64_t words[SEGMENT_WORDS];
};

/* ---- threads that are just getting ahead (runtime/ledger/ramp.h) ---- */

struct segment_ramp {
    alignas(64) _Atomic uint32_t tid; /* of the owner, a segment_number(); 0: the slot is free */
    _Atomic uint32_t pid;
    _Atomic uint32_t version; /* odd while the owner writes */
    _Atomic uint32_t rate;    /* of its CPU time, in 65536ths; 0: not at the moment */
    _Atomic uint64_t paid_ns; /* the owner's, at the beginning */
    _Atomic uint64_t since_cpu_ns, since_wall_ns;
    /* Not 0 while the owner waits: it gets ahead by the wall clock, as long as that is the target, and the window
     * the same. */
    _Atomic uint64_t wait_target;
    _Atomic uint32_t window;
};

/* ---- how the required delay grew (growth.h) ---- */

struct segment_growth {
    _Atomic uint64_t step;        /* CLOCK_MONOTONIC / GROWTH_STEP_NS */
    _Atomic uint64_t required_ns; /* at its end */
};

/* ---- who had a core (cores.h) ---- */

struct segment_core {
    alignas(64) _Atomic uint64_t seen_ns; /* when a thread of the tree was last seen on it, CLOCK_MONOTONIC */
    _Atomic uint32_t seen_tid, next;      /* which one; and the next of these, used in turns */
    struct segment_switch {
        _Atomic uint64_t at_ns; /* when it was first seen after another one */
        _Atomic uint32_t tid;
    } switches[SEGMENT_SWITCHES];
    /* Of all threads that looked there, as each keeps its own (src/runtime/ledger/account.h). */
    _Atomic uint64_t had_ns, paid_ns, queued_ns, ranked_ns;
};
