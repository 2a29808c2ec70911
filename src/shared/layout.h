/* The segment: one shared-memory file, mapped by the controller and by every process of the profiled tree.
 * This header, with those of layout/, is its only definition. Everything in it is fixed-width and reached with
 * atomics; whatever several threads write often has a cache line of its own. A reader maps it, then checks
 * magic, version and size before anything else.
 *
 * Who writes what: the controller writes the plan (target, next target, tables), the runtime the rest
 * (required delay, points, samples, threads, audit). A process may die at any instruction, so nothing here is
 * ever locked. */
#pragma once

#include "shared/breakpoints.h"
#include "shared/calls.h"
#include "shared/latency.h"
#include "shared/layout/code.h"
#include "shared/layout/points.h"
#include "shared/layout/targets.h"
#include "shared/layout/threads.h"
#include "shared/layout/waits.h"
#include "shared/tables.h"

#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What signals of samples carry as their value, beside a number that the program may use as well. */
#define SEGMENT_SIGNAL_VALUE 0x656c706d6173u
#define SEGMENT_MAGIC 0x746e656d6765735aull
#define SEGMENT_VERSION 18u
#define SEGMENT_VDSO "[vdso]" /* the path of the module that the kernel maps into every process */
#define SEGMENT_PID_NAMESPACE "/proc/self/ns/pid" /* whose inode tells namespaces apart */
#define SEGMENT_VARIABLE "COZ_SEGMENT"            /* the environment variable that holds the path to open */

/* ---- what is due ---- */

/* What every hook looks at, on one cache line: a thread that has paid as much, while nobody gets ahead, has
 * nothing to settle. */
struct segment_due {
    /* G of the design: all the delay that any thread must have paid since the start. Only grows. */
    alignas(64) _Atomic uint64_t required_ns;
    /* A bit for each ramp that has a rate, of the slot's number: no count, which a process that is killed
     * between the two would leave wrong. */
    _Atomic uint32_t ramps;
    uint32_t reserved;
    /* A bit for each enum segment_call that somebody counts. Written by the controller. */
    _Atomic uint64_t calls[SEGMENT_CALL_WORDS];
};

/* ---- what found no place ---- */

/* How often each table was full: never, as a rule. Written by whoever is refused. In the table of channels the
 * oldest make room. */
struct segment_refusals {
    _Atomic uint32_t points, modules, mappings, threads, callsites, sites, channels, thread_names, waits,
        latencies, regions, stacks;
};

/* ---- the whole ---- */

enum segment_sampler { SAMPLER_NONE, SAMPLER_PERF, SAMPLER_TIMER };

/* Which processes are profiled: all of the tree; the first one and copies of it, not what those execute; or
 * the first one only, whatever it executes. */
enum segment_follow { FOLLOW_ALL, FOLLOW_FORK, FOLLOW_NONE };

struct segment {
    uint64_t magic;
    uint32_t version;
    uint32_t struct_size; /* sizeof(struct segment): differs when the two sides were built apart */
    uint64_t mapped_size;
    uint32_t controller_pid;
    uint32_t signal_number; /* of samples, where the program has no use for it */
    /* In which controller_pid, and untagged numbers, are what they are; 0: not known. */
    uint64_t pid_namespace;
    uint64_t period_ns;    /* mean CPU time between samples */
    uint32_t want_sampler; /* enum segment_sampler; SAMPLER_NONE: what there is, a timer first */
    uint32_t granularity;  /* enum granularity: what the numbers of sites stand for */
    uint32_t follow;       /* enum segment_follow */
    uint32_t first_pid;    /* of the program */

    alignas(64) _Atomic uint32_t active; /* 0: the runtime does nothing any more (the controller has gone) */
    uint32_t counts_only;                /* visits are counted; nothing is sampled, and nobody delayed */
    _Atomic uint32_t is_ending;          /* the program was asked to end: nobody pays any more what is owed */
    /* CLOCK_MONOTONIC, written by the controller several times a second. When it is older than
     * SEGMENT_HEARTBEAT_NS nobody steers any more, and no thread is delayed. */
    _Atomic uint64_t heartbeat_ns;

    struct segment_due due;
    /* What samples are compared with, now; and what it becomes at the next edge. */
    alignas(64) _Atomic segment_target target;
    _Atomic segment_target next_target;
    alignas(64) _Atomic uint32_t edge_word;
    /* Index of the point whose visits take edges; SEGMENT_POINTS: any throughput point. */
    _Atomic uint32_t edge_driver;
    _Atomic uint32_t news; /* a futex: one more when there is something for the controller to do */
    _Atomic uint64_t window_required_ns; /* required_ns when the current window began */
    struct segment_edge edges[SEGMENT_EDGES];

    /* Audit: where the delay went, over all threads. */
    alignas(64) _Atomic uint64_t paused_ns;
    _Atomic uint64_t credited_wake_ns;     /* given by a peer that was level */
    _Atomic uint64_t credited_runqueue_ns; /* waited for a core that paid */
    _Atomic uint64_t own_steps_ns;         /* CPU time in the target times the speedup */
    _Atomic uint64_t carried_ns;           /* part of paused_ns that became due in an earlier window */
    alignas(64) _Atomic uint64_t samples;  /* all, in scope or not */
    _Atomic uint64_t samples_ns;
    _Atomic uint64_t in_scope;
    alignas(64) _Atomic uint32_t processes; /* that ever joined */
    _Atomic uint32_t births;                /* processes that are being forked, and have not joined yet */
    _Atomic uint32_t threads;               /* that ever started */
    _Atomic uint32_t thread_hint;           /* the lowest slot that was free lately */
    _Atomic uint32_t thread_slots_used;     /* all slots in use lie below */
    _Atomic uint32_t sampler;               /* enum segment_sampler in use by the latest thread */
    _Atomic uint32_t perf_errno;            /* why perf was refused, 0 if it was not */
    _Atomic uint32_t signal_given_up;       /* the last that a program wanted for itself; 0: none did */
    _Atomic uint32_t message_is_said;       /* written last */
    _Atomic uint64_t message_owner;         /* the thread that says it (questions.h) */
    char message[SEGMENT_MESSAGE];          /* what the runtime has to say; the first thing only */

    struct segment_refusals refusals;
    struct segment_spins spins;
    struct segment_growth growth[SEGMENT_GROWTH];
    struct segment_core cores[SEGMENT_CORES];
    struct segment_ramp ramp_slots[SEGMENT_RAMPS];
    struct segment_point points[SEGMENT_POINTS];
    alignas(64) _Atomic uint32_t call_point_count; /* those below it are whole */
    _Atomic uint32_t calls_are_tried;              /* each is counted for itself, too */
    _Atomic uint32_t sampled_point_count;          /* likewise */
    struct segment_call_point call_points[SEGMENT_CALL_POINTS];
    struct segment_sampled_point sampled_points[SEGMENT_SAMPLED_POINTS];
    struct segment_call_counter call_counters[SEGMENT_CALL_COUNTERS];
    struct segment_breakpoints breakpoints;
    struct segment_latency latencies[SEGMENT_LATENCIES];
    struct segment_open open[SEGMENT_OPEN_BUCKETS];
    struct segment_module modules[SEGMENT_MODULES];
    struct segment_question questions[SEGMENT_QUESTIONS];
    _Atomic uint32_t mapping_count; /* all slots in use lie below */
    struct segment_mapping mappings[SEGMENT_MAPPINGS];
    struct segment_thread thread_slots[SEGMENT_THREADS];
    struct segment_site sites[SEGMENT_SITES];
    /* The caller's line in the high half, the line in the low. */
    _Atomic uint64_t callsites[SEGMENT_CALLSITES];
    struct segment_stack stacks[SEGMENT_STACKS];
    struct segment_thread_name thread_names[SEGMENT_THREAD_NAMES];
    /* Several sites that are one target together: a bit of each site for each group it is in, the group's own
     * site, and the names of threads that are in one. The counts are those before the program starts. */
    uint32_t group_count, pattern_count;
    uint32_t group_sites[SEGMENT_GROUPS];
    struct segment_pattern patterns[SEGMENT_PATTERNS];
    _Atomic uint64_t site_groups[SEGMENT_SITES];
    struct segment_process process_slots[SEGMENT_PROCESSES];
    _Atomic uint32_t wait_targets[WAIT_CLASSES]; /* the numbers of classes as targets; 0: it has none */
    _Atomic uint32_t waits_used;                 /* how many are not free */
    struct segment_wait waits[SEGMENT_WAITS];
    struct segment_wake wakes[SEGMENT_WAKES];
    struct segment_await awaits[SEGMENT_AWAITS];
    struct segment_region regions[SEGMENT_REGIONS];
    _Atomic uint64_t lived_ns;                       /* by the wall clock: all threads that have ended */
    _Atomic uint64_t queued_ns;                      /* that all threads stood in the run queue */
    struct segment_words channels[SEGMENT_CHANNELS]; /* who is on their other end (runtime/calls/peers.h) */
    alignas(4096) unsigned char tables[]; /* site and unwind rows; only the controller writes there */
};

_Static_assert(offsetof(struct segment_point, count) == 0, "the counter of the original's ABI");
_Static_assert(offsetof(struct segment_point, backoff) == 8, "the counter of the original's ABI");
_Static_assert(offsetof(struct segment_point, state) == 64, "cold fields off the counter's line");
_Static_assert(sizeof(struct segment_thread) == 128 && offsetof(struct segment_thread, waited_until_ns) == 64,
               "what others look at is one line");
_Static_assert(sizeof(struct segment_wait) == 64, "one line each");
_Static_assert(offsetof(struct segment_wait, key) == 0 && offsetof(struct segment_wake, key) == 0 &&
                   offsetof(struct segment_await, key) == 0,
               "what is looked for comes first");
_Static_assert(sizeof(struct segment_open) == 128, "a line of keys, and one of times");
_Static_assert(sizeof(struct segment_region) == 64 + SEGMENT_REGION_NAME, "fixed layout");
_Static_assert(SEGMENT_SITES <= SEGMENT_TARGET_REGION, "a site's number has no flag");
_Static_assert(sizeof(struct segment_words) == 64, "one line a bucket");
_Static_assert(sizeof(struct segment_process) == 256 + 3 * 8 * SEGMENT_POINTS, "fixed layout");
_Static_assert(sizeof(struct segment_site) == 32, "fixed layout");
_Static_assert(sizeof(struct segment_thread_name) == 32, "fixed layout");
_Static_assert(sizeof(struct segment_pattern) == 64, "fixed layout");
_Static_assert(sizeof(struct segment_edge) == 32, "fixed layout");
_Static_assert(sizeof(struct segment_visit) == 24, "fixed layout");
_Static_assert(sizeof(struct segment_module) == 512, "fixed layout");
_Static_assert(sizeof(struct segment_question) == 24, "fixed layout");
_Static_assert(sizeof(struct segment_mapping) == 32, "fixed layout");
_Static_assert(sizeof(struct segment_due) == 64, "one line, which every hook reads");
_Static_assert(SEGMENT_RAMPS <= 32, "a bit each");
_Static_assert(offsetof(struct segment, active) == 64, "fixed layout");
_Static_assert(offsetof(struct segment, due) == 128, "fixed layout");
_Static_assert(offsetof(struct segment, target) == 192, "fixed layout");
_Static_assert(offsetof(struct segment, edge_word) == 256, "fixed layout");
