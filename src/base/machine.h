/* The machine: what it is, and what its processors did. Linux; where the system does not tell, all is zero. */
#pragma once

#include <stdint.h>

enum { MACHINE_MODEL = 128 };

struct machine {
    uint64_t cores;            /* that are online */
    uint64_t allowed;          /* of these, those that this process and what it starts may use */
    char model[MACHINE_MODEL]; /* of the first processor; "": unknown */
    double load;               /* tasks that ran or waited to, in the mean over the last minute */
};

struct machine machine_describe(void);

/* Processors that this process may use, 1 where nothing is known: so many threads are worth while. */
unsigned machine_allowed(void);

/* What all processors together did since the machine was started, in clock ticks (sysconf(_SC_CLK_TCK) a
 * second). */
struct machine_ticks {
    uint64_t used;
    uint64_t stolen; /* a virtual machine's processors waited for real ones */
    uint64_t all;    /* idle ones too */
};

struct machine_ticks machine_ticks_now(void);

/* What others took of the machine meanwhile, as shares of all processors' time, 0..1. */
struct machine_watch {
    struct machine_ticks ticks;
    double began_s, own_s;
};
struct machine_use {
    double others; /* processes that are neither this one nor its children that it has waited for */
    double stolen; /* the host of this virtual machine */
};

struct machine_watch machine_watch_begin(void);
struct machine_use machine_watch_end(const struct machine_watch *watch);
