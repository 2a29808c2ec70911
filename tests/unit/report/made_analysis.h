/* Analyses of profiles that are made up: blocks of five windows at 0, 50, 0, 100 and 0 %, which differ by a little. After
 * cmocka.h. */
#pragma once

#include "stats/answers/analysis.h"

enum { MADE_WINDOWS = 5 };

static inline void add(struct analysis *analysis, struct profile_record record)
{
    assert_int_equal(analysis_add(analysis, &record), 0);
}

static inline void add_experiment(struct analysis *analysis, const char *kind, const char *name,
                                  uint64_t block, double speedup, uint64_t elapsed)
{
    add(analysis, (struct profile_record){.type = PROFILE_EXPERIMENT,
                                          .experiment = {.selected = name,
                                                         .kind = kind,
                                                         .speedup = speedup,
                                                         .duration_ns = elapsed,
                                                         .selected_samples = 100,
                                                         .has_block = true,
                                                         .block = block}});
}

static inline void add_visits(struct analysis *analysis, const char *point, uint64_t visits, uint64_t elapsed)
{
    add(analysis,
        (struct profile_record){.type = PROFILE_THROUGHPUT, .throughput = {point, visits, elapsed}});
}

static inline double made_speedup(int window)
{
    return window == 1 ? 0.5 : window == 3 ? 1 : 0;
}

/* How long the window lasts, in nanoseconds, where full speed saves that share of it. */
static inline uint64_t made_elapsed(int block, int window, double saved)
{
    double wobble = 1 + 0.01 * ((block * MADE_WINDOWS + window * 3) % 7 - 3);
    return (uint64_t)(1e8 * (1 - saved * made_speedup(window)) * wobble);
}
