/* How often each time came: a histogram with buckets of 3 % (base/log_buckets.h), in several batches, so that a
 * bootstrap over batches tells how sure its quantiles are. Internal to src/stats/. */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { TIMES_BATCHES = 16 };

/* Starts zeroed. */
struct times {
    uint32_t first, count; /* buckets that there is room for */
    uint64_t *counts;      /* of a batch after the other */
    uint64_t units;        /* all */
};

/* So many units more, of that bucket, in that batch. 0 or -ENOMEM. */
int times_add(struct times *times, uint32_t batch, uint32_t bucket, uint64_t units);
void times_release(struct times *times);

/* How many batches have any. */
size_t times_batches(const struct times *times);

/* The counts of each batch, added up from the shortest time on: what quantiles are looked for in. */
struct times_sums {
    const struct times *times;
    uint64_t *below; /* units in buckets before that one, of a batch after the other; count + 1 of each */
};

/* 0 or -ENOMEM. The times must outlive it, and stay as they are. */
int times_sum(struct times_sums *sums, const struct times *times);
void times_sums_release(struct times_sums *sums);

/* The time that the share q of the units does not exceed, in ns, each batch taken weights[batch] times; NAN: there
 * are no units then. */
double times_quantile(const struct times_sums *sums, const uint8_t *weights, double q);
