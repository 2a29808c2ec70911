/* How fast a program went where nothing was sped up: fed with records as they come. Internal to src/stats/.
 *
 * The unit is the block: all its baseline windows together say one time for each visit. Windows of one block
 * share the machine's mood, and are never taken for independent. Without blocks it is the window. */
#pragma once

#include "profile/record.h"
#include "stats/answers/answer.h"
#include "stats/input/names.h"

struct rate_block {
    double elapsed,
        visits; /* of its baseline windows: nanoseconds (times requests in progress), and visits */
    uint32_t windows, run;
    uint64_t unit; /* which block of the run */
};

struct rate_point {
    const char *name;
    enum analysis_metric metric;
    struct rate_block *blocks; /* in the order of time */
    size_t count, capacity;
};

/* Starts zeroed. */
struct rates {
    struct names names;
    struct rate_point *points; /* by name */
    size_t capacity;
    uint32_t run;
    bool is_open;     /* records belong to `run` */
    bool is_baseline; /* the window that points belong to */
    uint64_t unit, duration_ns;
};

int rates_add(struct rates *rates, const struct profile_record *record); /* 0 or -ENOMEM */
/* What one file ends with does not go on in the next. */
void rates_end_file(struct rates *rates);
void rates_release(struct rates *rates);

/* NULL: there is no such point. */
const struct rate_point *rates_find(const struct rates *rates, const char *name, enum analysis_metric metric);

/* What changed from one to the other. */
struct rate_change {
    double before, after;  /* seconds for each visit, or of latency; NAN: unknown */
    double change;         /* of the logarithm of that time; NAN: too little is known */
    double error, freedom; /* its standard error, and the degrees of freedom of that */
    size_t runs[2], units[2];
};

/* Deterministic for a seed. Either may be NULL. 0 or -ENOMEM. */
int rates_compare(const struct rate_point *before, const struct rate_point *after, uint64_t seed,
                  struct rate_change *change);
