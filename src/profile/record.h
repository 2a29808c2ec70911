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
        } experiment;
        struct {
            const char *name;
            uint64_t delta; /* visits */
            uint64_t
                elapsed_ns; /* ours: virtual time from visit to visit; 0: use the experiment's duration */
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
        } runtime;
        struct {
            const char *location;
            uint64_t count;
            uint64_t cpu_ns;      /* ours: CPU time these samples stand for; 0 when unknown */
            uint64_t baseline_ns; /* ours: the part of it when nothing was sped up */
            const char *kind;     /* ours: of the location, as in experiments */
            uint64_t self_ns; /* ours, of a function: the part of cpu_ns not in functions that it called */
            const char *function; /* ours: that the line is in; NULL when unknown, and of functions */
            const char *file; /* ours: that the function is declared in; NULL when unknown, and of lines */
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
            uint64_t pid, parent;
            const char *program;
            uint64_t samples, cpu_ns;
        } process;
    };
};
