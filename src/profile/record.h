/* One line of a profile, as a value. See docs/design/profile.md for the format on disk.
 *
 * Strings are borrowed: from whoever built the record when writing, from the reader until the next record
 * when reading. Absent strings are NULL, absent numbers are 0 unless said otherwise. All times are
 * nanoseconds. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum profile_type {
    PROFILE_STARTUP,    /* a run begins */
    PROFILE_EXPERIMENT, /* one window: one target, one virtual speedup; the points that follow belong to it */
    PROFILE_THROUGHPUT, /* a throughput point's visits in that window */
    PROFILE_LATENCY,    /* a begin/end pair's visits in that window */
    PROFILE_RUNTIME,    /* a run's end: how long it was */
    PROFILE_SAMPLES,    /* all samples of one location in the run */
    PROFILE_PROCESS_POINT,   /* ours: one process's part of the visits of a throughput point in the window */
    PROFILE_PROCESS_LATENCY, /* ours: the same of a begin/end pair, both of whose ends it visited */
    PROFILE_PROCESS,         /* ours: one process of the run */
    PROFILE_DISCARDED,       /* ours: a window that was thrown away */
    PROFILE_SOURCE,          /* ours: which bytes a source file had */
    PROFILE_WAIT,            /* ours: all waits of one class at one place in the run */
    PROFILE_LATENCY_TIMES,   /* ours: what the units of a begin/end pair took that ended in the window */
    PROFILE_WAKE,            /* ours: which of them were ended from one place */
    PROFILE_AWAIT,           /* ours: what part of their time threads that ran a location waited so */
    PROFILE_STACK,           /* ours: how samples of a location got there */
    PROFILE_REMARK,          /* ours: what the user was told about the run while it went on */
};

struct profile_record {
    enum profile_type type;
    union {
        struct {
            uint64_t time_ns;        /* wall clock, since the epoch */
            const char *program;     /* ours: the program's path; NULL in others' profiles */
            const char *build_id;    /* ours: which build of it; NULL in others' and older profiles */
            const char *sampler;     /* ours: "perf" or "timer" */
            const char *granularity; /* ours: "function" or "callsite"; NULL: "line" */
            /* Ours: the machine. 0 and NULL in others' and older profiles. */
            uint64_t cores;    /* that are online; 0: nothing is known of the machine */
            uint64_t allowed;  /* of these, those that the program may use; 0: all */
            const char *model; /* of the processor */
            double load;       /* tasks that ran or waited to, in the mean over the minute before the run */
        } startup;
        struct {
            const char *selected; /* "path:line", or what kind says */
            const char *kind;     /* "line" when absent */
            double speedup;       /* 0.25: the target is made a quarter faster; negative: slower */
            uint64_t duration_ns; /* inserted delay already taken off */
            uint64_t selected_samples;
            /* Ours. has_block is false in profiles of the original. Windows of one block have the same
             * number, stand next to each other in time, and alternate 0, s1, 0, s2, ..., 0. */
            bool has_block;
            uint64_t block;  /* unique in the run */
            uint64_t window; /* place in its block, from 1, so that a lost window is noticed; 0: unknown */
            uint64_t selected_ns; /* CPU time that fell in the target during the window */
            uint64_t sampled_ns;  /* CPU time of all samples during the window */
            uint64_t delay_ns;    /* delay inserted during the window */
            uint64_t paused_ns;   /* time that all threads together paused during the window */
            uint64_t settled_ns;  /* time the program was given, before the window, to come to rest */
            uint64_t began_ns;    /* real time from the run's start to the window's; 0: unknown, */
            uint64_t stolen_ns; /* and so is this: the part of its real time when the machine was not ours */
        } experiment;
        struct {
            const char *name;
            uint64_t delta; /* visits */
            /* Ours: virtual time from visit to visit; 0: use the experiment's duration. */
            uint64_t elapsed_ns;
        } throughput;
        struct {
            const char *name;
            uint64_t arrivals, departures;
            double difference;   /* mean number in progress during the window (the original: at its end) */
            uint64_t elapsed_ns; /* as above */
        } latency;
        struct {
            uint64_t time_ns;     /* real duration of the run */
            uint64_t baseline_ns; /* ours: the part of it when nothing was sped up; 0 when unknown */
            uint64_t samples;     /* ours: all in scope; 0: as many as those of all locations together */
            /* Ours: shares of all cores' time during the run, 0..1. Of the machine nothing is known where
             * startup has no cores. */
            double others;      /* that other programs took, */
            double stolen;      /* and that the host of a virtual machine did */
            uint64_t lived_ns;  /* ours: by the wall clock, all threads together; 0: unknown, */
            uint64_t cpu_ns;    /* and so is their CPU time without our own */
            uint64_t queued_ns; /* and how long they stood in the run queue */
        } runtime;
        struct {
            const char *location;
            uint64_t count;
            uint64_t cpu_ns;      /* ours: CPU time these samples stand for; 0 when unknown */
            uint64_t baseline_ns; /* ours: the part of it when nothing was sped up */
            const char *kind;     /* ours: of the location, as in experiments */
            uint64_t self_ns; /* ours, of a function: the part of cpu_ns not in functions that it called */
            const char *function; /* ours: that the line is in; NULL when unknown, and of functions */
            const char *text;     /* ours: of the line, without blanks around it; NULL when unknown */
            const char *file; /* ours: that the function is declared in; NULL when unknown, and of lines */
            /* Ours, of a region, whose count is exact: entries without an end, and ends without an entry. */
            uint64_t left_open, never_begun;
        } samples;
        struct {
            const char *name;
            uint64_t pid, delta;
        } process_point;
        struct {
            const char *name;
            uint64_t pid, arrivals, departures;
            double difference;
            uint64_t elapsed_ns;
        } process_latency;
        struct {
            const char *name;
            uint64_t bucket; /* of the first count (base/log_buckets.h) */
            /* Of units, in it and in those that follow, with blanks between; NULL: none. */
            const char *counts;
            uint64_t unmatched; /* that ended, and nobody knows when they began */
            uint64_t refused;   /* that began, and cannot be told of */
        } latency_times;
        struct {
            uint64_t pid, parent;
            const char *program;
            uint64_t samples, cpu_ns;
        } process;
        struct {
            uint64_t began_ns, real_ns, stolen_ns; /* as of an experiment; how long it took in real time */
            const char *why;                       /* "stolen", "stuck" or "carried" */
        } discarded;
        struct {
            const char *class; /* "lock", "condition", "io-read", ... */
            const char *place; /* "path:line" of the call, or the function; NULL: nothing in scope */
            uint64_t count, time_ns;
            uint64_t baseline_ns; /* the part of it when nothing was sped up */
        } wait;
        struct {
            const char *class, *place; /* as of the wait */
            const char *by;            /* the place of the call that ended it */
            /* The wait in which the thread that did so was meanwhile; NULL: in none, or in nothing in scope. */
            const char *after_class, *after_place;
            uint64_t count, time_ns;
        } wake;
        struct {
            const char *location, *kind; /* as of samples */
            const char *class, *place;   /* as of the wait */
            uint64_t time_ns; /* of the samples' cpu_ns: each its part of its thread's life that went there */
        } await;
        struct {
            /* Hashes of its bytes, in hexadecimal; NULL: unknown. */
            const char *path, *sha256; /* when the run ended */
            const char *md5;           /* when it was compiled */
        } source;
        struct {
            const char *location, *kind; /* as of samples */
            uint64_t count;              /* of the samples that were looked at, one in so many */
            /* A line each, from the innermost outwards: "name\tpath:line", "\tinlined" behind. */
            const char *frames;
        } stack;
        struct {
            uint64_t at_ns;     /* since the run's start */
            const char *text;   /* a sentence or two */
            const char *remedy; /* what to do about it, likewise; NULL: nothing */
        } remark;
    };
};
