/* Where the samples fell, added up by function and by file. Internal to src/stats/. */
#pragma once

#include "profile/record.h"
#include "stats/input/names.h"

struct sum {
    double own, called; /* samples of it alone; with what it calls, where that is known */
};

/* Starts zeroed. */
struct sums {
    struct names names;
    struct sum *items; /* by name */
    size_t capacity;
};

void sums_release(struct sums *sums);

/* Adds a samples record to the sums by function, and to those by file. 0 or -ENOMEM. */
int sums_add(struct sums *functions, struct sums *files, const struct profile_record *record);
