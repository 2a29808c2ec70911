/*
 * coz_regions.h - what would the whole gain if this region of code were faster? For a benchmark of your own: no
 * launcher, no debug information, nothing preloaded, any POSIX system.
 *
 *     #include <coz_regions.h>
 *
 *     static void work(void *argument)
 *     {
 *         ...
 *         COZ_REGION_BEGIN("decode");        see coz.h; on any threads
 *         decode(&frame);
 *         COZ_REGION_END("decode");
 *         ...
 *     }
 *
 *     struct coz_regions_options options = {0};
 *     options.iterations = 20;
 *     int error = coz_regions_run(&options, work, &argument);
 *
 *     $ cc -O2 benchmark.c -lcozregions -lm -pthread
 *
 * The function is called again and again: once an iteration for every region and every percentage, in an order that is
 * shuffled anew, and some more times for comparison. After each iteration a table is printed:
 *
 *     Region        Count  Time %         +10 %          +5 %          -5 %         -10 %    ...
 *     decode         1200    41.3   8.1 +- 0.2     4.0 +- 0.2    -4.1 +- 0.2   -8.0 +- 0.2
 *
 *     Count    how often the region is entered in a call of the function, by all threads together
 *     Time %   how long they were in it, of the time of the call on all cores that the process may use. Of regions in
 *              itself only the outermost counts, and the pauses that the method makes are none of it.
 *     +10 %    by how many percent the function takes longer when the region takes 10 % more time
 *     -10 %    and when it takes 10 % less. Below zero: the function became faster.
 *
 * Each is a median and its standard error, of all calls so far but those that are further from the median of all than
 * three times the MAD (scaled, so that this is three standard deviations of normal noise). It is a quotient: the errors
 * of both parts are in it.
 *
 * A region that is to be slower spins at its end. Two methods say what a region is worth that is faster:
 *
 *   full    While any thread is in the region, all time of other threads in other regions owes that percentage of it,
 *           however many threads are in it. They wait for so long before they leave theirs, and what all had to wait
 *           is subtracted from the time of the call. From two threads on that pass marks, one of the library's own is
 *           there while the function is called: where marks are passed more than 50,000 times a second, in calls of
 *           0.1 s and more, it has them looked at in short windows, for all the time between.
 *   simple  All other regions spin at their ends, so that the region takes that much less in proportion, compared with
 *           calls in which all regions do. Code that is in no region is not slowed, so that marks should leave little
 *           of the work out.
 *
 * Mark all work of the threads that matter, but no waiting for each other: a thread that waits within a region counts
 * as at work there. What is in no region is taken for waiting by `full`, and for work that takes no time by `simple`.
 *
 * Regions must be left in the opposite order of entering them, on the same thread. One that is not (left by an exception
 * without coz::region, by longjmp, or with its thread) is closed when an outer one ends, or its thread, or the call; the
 * table then says so. In a forked child marks do nothing.
 *
 * On other systems than Linux define COZ_REGIONS before coz.h is included, or compile with -DCOZ_REGIONS, wherever marks
 * are to reach this library; this header does.
 */
#ifndef COZ_REGIONS_H
#define COZ_REGIONS_H

#ifndef COZ_REGIONS
#define COZ_REGIONS
#endif
#include <coz.h>

#include <stddef.h>
#include <stdio.h> /* FILE */

#ifdef __cplusplus
extern "C" {
#endif

enum coz_regions_method { COZ_REGIONS_FULL, COZ_REGIONS_SIMPLE };

/* All zero is a good choice. */
struct coz_regions_options {
    unsigned iterations; /* 0: 10 */
    enum coz_regions_method method;
    const double *percents; /* -90 to 1000, not 0; NULL: +10, +5, -5, -10, -15, -20 */
    size_t percent_count;
    unsigned warm_ups;       /* calls before the first iteration, which find the regions; 0: 1 */
    unsigned long long seed; /* of the order; 0: another one each time */
    FILE *table;             /* NULL: standard error */
    int is_quiet;            /* no table and no progress, but errors */
    const char *csv, *json;  /* files, written anew after each iteration; NULL: none */
};

/* Calls the function on this thread. Returns when the iterations are done: 0, or a negative errno after a message on
 * the table's stream (-EINVAL: options; -ENOENT: no region was entered; -EBUSY: called within itself or by two threads
 * at once). In a run of `coz regions` the function is called once. */
#ifdef __GNUC__
__attribute__((visibility("default")))
#endif
int coz_regions_run(const struct coz_regions_options *options, void (*function)(void *argument), void *argument);

#ifdef __cplusplus
}
#endif

#endif
