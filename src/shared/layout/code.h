/* Where code is, and the samples that fell into it. Part of layout.h. */
#pragma once

#include "shared/layout/limits.h"

#include <stdalign.h>
#include <stdatomic.h>
#include <stdint.h>

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

/* How some samples of a target got there: the code on the stack, from the innermost outwards (stack_slots.h). */
struct segment_stack {
    _Atomic uint64_t key; /* a hash of the target and the frames; 0: free */
    _Atomic uint32_t count, site;
    _Atomic uint32_t depth; /* written last; 0: the frames are not there yet */
    uint32_t reserved;
    _Atomic uint64_t frames[SEGMENT_STACK_FRAMES]; /* each as stack_frame() makes it */
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
