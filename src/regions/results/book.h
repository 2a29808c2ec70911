/* All that was measured so far, by one method. No I/O, no clock. */
#pragma once

#include "regions/results/numbers.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum trial_kind {
    TRIAL_BASELINE, /* nothing is slowed */
    /* What a target that is to be faster is compared with. `simple`: all regions are slowed as they are for it. `full`:
     * marks cost what they cost for it, and nobody waits. */
    TRIAL_CONTROL,
    TRIAL_REGION,
};

struct trial {
    enum trial_kind kind;
    size_t region, percent; /* which of the book's; as far as the kind has one */
};

struct series {
    double *values;
    size_t count, capacity;
};

struct book_region {
    char *name;
    struct series counts, shares; /* of the baselines: entries; time in it, of all cores' time, from 0 to 1 */
    struct series *times; /* ns, one for each percentage; less pauses where the method subtracts them */
    uint64_t left_open, never_begun;
};

struct book {
    bool is_simple;
    const double *percents; /* borrowed */
    size_t percent_count;
    struct book_region *regions;
    size_t region_count, region_capacity;
    struct series baselines,
        *controls;       /* ns; controls: one for each percentage, or all are the first's (`full`) */
    unsigned iterations; /* that are complete */
};

int book_init(struct book *book, bool is_simple, const double *percents, size_t count); /* 0 or -ENOMEM */
void book_release(struct book *book);

/* The region of that name; new if need be. -ENOMEM. */
long book_region(struct book *book, const char *name);

/* What the percentage is compared with. */
const struct series *book_beside(const struct book *book, size_t percent);

int book_add(struct book *book, const struct trial *trial, double time_ns); /* 0 or -ENOMEM */
int series_add(struct series *series, double value);                        /* 0 or -ENOMEM */

struct figure book_figure(const struct series *series);                            /* its median */
struct figure book_effect(const struct book *book, size_t region, size_t percent); /* percent more time */
