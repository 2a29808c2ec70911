/* The segment: one shared-memory file, mapped by the controller and by every process of the profiled tree.
 * This header is its only definition. Everything in it is fixed-width and reached with atomics; whatever
 * several threads write often has a cache line of its own. A reader maps it, then checks magic, version and
 * size before anything else.
 *
 * Who writes what: the controller writes the plan (target, next target, tables), the runtime the rest
 * (required delay, points, samples, threads, audit). A process may die at any instruction, so nothing here is
 * ever locked. */
#pragma once

#include "shared/breakpoints.h"
#include "shared/calls.h"
#include "shared/latency.h"
#include "shared/tables.h"

#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What signals of samples carry as their value, beside a number that the program may use as well. */
#define SEGMENT_SIGNAL_VALUE 0x656c706d6173u
#define SEGMENT_MAGIC 0x746e656d6765735aull
#define SEGMENT_VERSION 15u
#define SEGMENT_VDSO "[vdso]" /* the path of the module that the kernel maps into every process */
#define SEGMENT_PID_NAMESPACE "/proc/self/ns/pid" /* whose inode tells namespaces apart */
#define SEGMENT_VARIABLE "COZ_SEGMENT"            /* the environment variable that holds the path to open */

enum {
    SEGMENT_POINTS = 256,
    SEGMENT_POINT_NAME = 200,
    SEGMENT_CALL_POINTS = 64,
    SEGMENT_SAMPLED_POINTS = 16,
    SEGMENT_MODULES = 1024,
    SEGMENT_MODULE_PATH = 456,
    SEGMENT_MAPPINGS = 4096,
    SEGMENT_QUESTIONS = 64,
    SEGMENT_THREADS = 1 << 16,
    SEGMENT_PROCESSES = 1024, /* that are told apart */
    SEGMENT_PROGRAM = 224,
    SEGMENT_SITES = 1 << 20,
    SEGMENT_CALLSITES = 1 << 14,
    SEGMENT_THREAD_NAMES = 1 << 12,
    SEGMENT_GROUPS = 64, /* a bit each */
    SEGMENT_PATTERNS = 128,
    SEGMENT_PATTERN = 60,
    SEGMENT_EDGES = 8,
    SEGMENT_RAMPS = 16,
    SEGMENT_SWITCHES = 16, /* of each core, the latest */
    SEGMENT_GROWTH = 4096, /* steps that are remembered */
    GROWTH_STEP_NS = 10000,
    SEGMENT_CORES = 256, /* that are told apart */
    SEGMENT_SPINS = 64,  /* targets that spin, and are told apart */
    SEGMENT_CHANNELS = 1 << 14,
    SEGMENT_WAITS = 1 << 12,  /* of one class at one place */
    SEGMENT_WAKES = 1 << 13,  /* from one place to another */
    SEGMENT_AWAITS = 1 << 13, /* of one site, one place */
    SEGMENT_REGIONS = 256,
    SEGMENT_REGION_NAME = 128,
    SEGMENT_WORDS = 7,
    SEGMENT_MESSAGE = 256,
    SEGMENT_HEARTBEAT_NS = 1000000000,
    SEGMENT_ABANDONED_S = 60,     /* and who cannot ask, in another PID namespace, gives it up then */
    SEGMENT_DOUBT_NS = 100000000, /* when it is older than this it is asked whether there is a controller */
};

/* ---- targets ---- */

/* A target and its virtual speedup in one word, so that both change at once: the site in the low half, the
 * speedup in thousandths (negative: a slowdown) in the high half. */
typedef uint64_t segment_target;

static inline segment_target segment_target_make(uint32_t site, int32_t permille)
{
    return (uint64_t)site | (uint64_t)(uint32_t)permille << 32;
}

static inline uint32_t segment_target_site(segment_target target)
{
    return (uint32_t)target;
}

/* Set in the low half when the target is a wait: no sample's site equals that then. */
#define SEGMENT_TARGET_WAIT 0x80000000u

static inline bool segment_target_is_wait(segment_target target)
{
    return target & SEGMENT_TARGET_WAIT;
}

/* The same when it is a region. */
#define SEGMENT_TARGET_REGION 0x40000000u

static inline bool segment_target_is_region(segment_target target)
{
    return target & SEGMENT_TARGET_REGION;
}

/* The number, whatever it is of. */
static inline uint32_t segment_target_number(segment_target target)
{
    return (uint32_t)target & ~(SEGMENT_TARGET_WAIT | SEGMENT_TARGET_REGION);
}

static inline int32_t segment_target_permille(segment_target target)
{
    return (int32_t)(uint32_t)(target >> 32);
}

/* ---- edges between windows ---- */

/* The edge word: bit 0 says that the controller wants the current window to end at the next visit of the
 * driver; the other bits number the windows. Window n lasts from edge n to edge n + 1. */
static inline uint32_t edge_window(uint32_t word)
{
    return word >> 1;
}

static inline bool edge_is_wanted(uint32_t word)
{
    return word & 1;
}

/* What was read at an edge, by whoever took it. `window` is written last. */
struct segment_edge {
    _Atomic uint32_t window;
    uint32_t reserved;
    _Atomic uint64_t virtual_ns; /* real time minus the taker's paid delay */
    _Atomic uint64_t real_ns;
    _Atomic uint64_t required_ns;
};

/* The first visit of a point in a window. `window` is written last. */
struct segment_visit {
    _Atomic uint32_t window;
    uint32_t reserved;
    _Atomic uint64_t virtual_ns;
    _Atomic uint64_t count; /* the point's counter, this visit included */
};

/* ---- progress points ---- */

enum segment_point_type { POINT_NONE, POINT_THROUGHPUT, POINT_BEGIN, POINT_END };
enum segment_slot_state { SLOT_FREE, SLOT_READY };

struct segment_point {
    /* These two are the counter of the original's ABI. */
    alignas(64) _Atomic uint64_t count;
    uint64_t backoff;
    _Atomic uint32_t seen_word; /* the edge word that the last visit saw: the visit's fast path */
    _Atomic uint32_t claimed_window;
    /* Of begin and end points: the sum of the virtual times of their visits (mod 2^64), and the visits that
     * have begun to add to it. When those equal `count`, the sum is whole. (The sum of a sampled point is its
     * CPU time.) */
    _Atomic uint64_t entered;
    _Atomic uint64_t sum_ns;
    alignas(64) _Atomic uint32_t state; /* enum segment_slot_state */
    uint32_t type;
    _Atomic uint32_t precise; /* 1 once _coz_visit() was called: its visits take edges themselves */
    uint32_t is_breakpoint;   /* 1: the processor counts it (breakpoints.h), and `count` lags behind */
    /* A hash of type and name, 0: free. Who finds his own there writes both, whoever took the slot: so nobody
     * waits for a process that was killed while it did. */
    _Atomic uint64_t key;
    /* Of begin and end points whose units have ids: the pair's number; 0: not known. */
    _Atomic uint32_t latency;
    char name[SEGMENT_POINT_NAME];
    struct segment_visit visits[SEGMENT_EDGES]; /* of window n at n % SEGMENT_EDGES */
};

static inline bool segment_point_is_ready(const struct segment_point *point)
{
    return atomic_load(&point->state) == SLOT_READY;
}

/* POINT_NONE until it is ready. */
static inline uint32_t segment_point_type(const struct segment_point *point)
{
    return segment_point_is_ready(point) ? point->type : (uint32_t)POINT_NONE;
}

/* Slots are taken in order. A taken one need not be ready, now or ever. */
static inline bool segment_point_is_taken(const struct segment_point *point)
{
    return atomic_load(&point->key) || segment_point_is_ready(point);
}

/* ---- progress points that the program does not announce itself ---- */

/* [start, end) of a file's code. */
struct segment_piece {
    uint32_t start, end;
};

/* Pieces in the tables. */
struct segment_code {
    uint32_t module; /* index of modules */
    uint32_t count;  /* 0: any code */
    uint64_t offset; /* from the segment's start, to struct segment_piece[count] */
};

/* Who makes that call in that code visits the point. Written by the controller. */
struct segment_call_point {
    uint32_t call;  /* enum segment_call */
    uint32_t point; /* index of points */
    struct segment_code caller;
};

/* CPU time in that code, as samples tell, visits the point once a period. Written by the controller. */
struct segment_sampled_point {
    uint32_t point; /* index of points */
    uint32_t reserved;
    struct segment_code code;
};

/* How often it was made while that is tried. */
struct segment_call_count {
    alignas(64) _Atomic uint64_t count;
};

/* ---- code ---- */

enum segment_module_state {
    MODULE_FREE,      /* or a process is writing the path */
    MODULE_REQUESTED, /* seen by a process, not yet by the controller */
    MODULE_KNOWN,     /* the tables are there (either may be empty) */
};

struct segment_module {
    _Atomic uint32_t state; /* enum segment_module_state */
    _Atomic uint32_t row_count;
    _Atomic uint32_t unwind_count;
    _Atomic uint32_t is_executable; /* some process runs it as its program, not as a library */
    _Atomic uint64_t rows_offset;   /* from the segment's start, to struct site_row[row_count] */
    _Atomic uint64_t unwind_offset; /* likewise, to struct unwind_row[unwind_count] */
    _Atomic uint64_t nodes_offset;  /* likewise, to struct site_node[node_count] */
    _Atomic uint32_t node_count;    /* 0: the rows name sites themselves */
    _Atomic uint32_t samples;       /* of which the interrupted instruction lay in it */
    _Atomic uint64_t key;           /* a hash of the path, 0: the slot is free (module_slots.h) */
    char path[SEGMENT_MODULE_PATH]; /* written before `state` */
};

/* An address that a sample's handler met and that no module it knows of has: loaded later, or generated. The
 * process number is written last by the runtime, and set to 0 by the controller when it has looked. */
struct segment_question {
    _Atomic uint64_t owner;   /* the thread that asks (questions.h); 0: the slot is free */
    _Atomic uint32_t process; /* as counted by `processes`; 0: not asked yet */
    uint32_t pid;
    uint64_t address;
};

/* The answer: what is mapped there in that process. Written by the controller, the process number last; the
 * process sets it to 0 when it unmaps code. */
struct segment_mapping {
    _Atomic uint32_t process;
    uint32_t module; /* index of modules */
    uint64_t start, end, bias;
};

/* ---- samples ---- */

/* A line's, a function's, a file's, a call site's (callsites.h), a thread's (thread_names.h), or that of a
 * group of those. */
struct segment_site {
    _Atomic uint64_t count;
    _Atomic uint64_t cpu_ns;
    _Atomic uint64_t baseline_ns; /* the part of cpu_ns that fell when nothing was sped up */
    /* Of a function: the part of cpu_ns that was not spent in functions it called. */
    _Atomic uint64_t self_ns;
};

/* ---- names of threads, and groups ---- */

/* The number of a thread's name is its place in the table. A hash of the name, 0: free. Who finds his own there
 * writes the rest, whoever took the place. */
struct segment_thread_name {
    _Atomic uint64_t key;
    _Atomic uint64_t text[2]; /* as the kernel has it: 15 bytes at most, and zeroes */
    _Atomic uint32_t state;   /* enum segment_slot_state */
    uint32_t reserved;
};

/* Threads whose names match it belong to the group. Written before the program starts. */
struct segment_pattern {
    uint32_t group;
    char text[SEGMENT_PATTERN];
};

/* Samples that found a thread going round in a loop without doing anything (runtime/sampling/spinning.h). A
 * target has one place, which it takes from the one that had it before. */
struct segment_spins {
    alignas(64) _Atomic uint64_t samples; /* in scope or not */
    struct segment_spin {
        _Atomic uint32_t site, count;
    } sites[SEGMENT_SPINS]; /* of the target n at n % SEGMENT_SPINS */
};

/* ---- threads: the ledger's accounts ---- */

enum segment_thread_flag {
    THREAD_BLOCKED = 1, /* inside a hooked call that waits: its debt is settled when it wakes */
};

struct segment_thread {
    alignas(64) _Atomic uint64_t owner; /* whose it is (thread_slots.h) */
    _Atomic uint64_t paid_ns;
    _Atomic uint32_t flags;
    /* The wake that it made last (waits.h): its site, when, and of who waits for which object (a part of its
     * address); 0: of whoever is at the other end of a descriptor. */
    _Atomic uint32_t woke_from, woke_object;
    _Atomic uint32_t waited_at; /* the last place at which it waited: one more than its index in `waits` */
    _Atomic uint64_t woke_ns, waited_until_ns;
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

/* ---- regions (region_slots.h) */

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
};

/* ---- what found no place ---- */

/* How often each table was full: never, as a rule. Written by whoever is refused. In the table of channels the
 * oldest make room. */
struct segment_refusals {
    _Atomic uint32_t points, modules, mappings, threads, callsites, sites, channels, thread_names, waits,
        latencies, regions;
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
    _Atomic uint32_t edge_futex;         /* incremented and woken when an edge was taken */
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
    struct segment_call_count calls[SEGMENT_CALL_COUNT];
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
_Static_assert(sizeof(struct segment_thread) == 64, "one line a thread");
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
