/* What an analysis holds, by name. Internal to src/stats/: analysis.c fills it, results.c reads it. */
#pragma once

#include "profile/record.h"
#include "stats/answers/answer.h"
#include "stats/answers/stacks.h"
#include "stats/estimate/curve.h"
#include "stats/input/cell.h"
#include "stats/input/names.h"
#include "stats/input/phase.h"
#include "stats/input/strain.h"
#include "stats/input/sums.h"

#include <string.h>

struct point_state {
    const char *name;
    enum analysis_metric metric;
    struct control controls[BESIDE_KINDS];
    double visits;
    uint64_t windows;
};

struct target_cell {
    struct cell cell;
    struct curve curve;
    bool fresh; /* the curve is of the cell as it is */
};

struct target_state {
    const char *kind, *location;
    long kind_id;
    struct target_cell **cells; /* by point; NULL where there is none */
    size_t cell_count;
    struct exposure observed; /* in its baseline windows; without blocks, in all its windows */
    double window_samples;    /* in all its windows */
    double window_cpu_ns;     /* CPU time of all samples, of any target, in the windows of `observed` */
    uint64_t windows;
    struct strains strains; /* of all its windows */
};

struct location_state {
    double samples, cpu_ns, baseline_ns;
    double own_samples; /* of a function, without what it calls */
    long kind;
    long function; /* that it is in: its number among the functions' sums, and 1; 0: unknown */
    uint64_t left_open, never_begun; /* of a region */
    bool tried;
};

/* Regions that a run with targets of another kind has beside those: measured, and not sampled. */
static inline bool state_is_region_beside(const char *kind, const char *run)
{
    return kind && strcmp(kind, "region") == 0 && strcmp(run, kind) != 0;
}

/* What all runs have whose targets are of one kind: others' samples say nothing about these. */
struct kind_state {
    double samples;
    uint64_t runtime_ns, baseline_ns;
    uint64_t cpu_ns;     /* of all their threads together, in scope or not; 0: no run tells */
    uint64_t lived_ns;   /* of all their threads together; 0: some run does not tell */
    double windows_ns;   /* all windows, which are a part of that */
    bool lacks_baseline; /* some run does not tell how much of it was at no speedup */
};

struct analysis {
    struct names kinds, target_names, point_names, locations;
    struct target_state *targets;
    struct point_state *points;
    struct location_state *samples; /* by location */
    struct kind_state *of_kind;     /* by kind */
    size_t target_capacity, point_capacity, location_capacity, kind_capacity;
    long run_kind;          /* of the run that is being read; -1: of lines, and not yet met */
    bool run_tells_samples; /* how many there were in all, so that they need not be added up */
    struct sums functions, files;
    struct stacks stacks;
    uint64_t experiments;
    unsigned threads; /* that answers may be worked out in; 0: the caller's only */

    /* The window that points belong to, and its block. */
    enum { OUTSIDE, IN_BLOCK, LOOSE_WINDOW } place;
    size_t target;
    uint64_t block_number, settled_ns;
    speedup_t speedup;
    uint64_t duration_ns;
    struct block block;

    /* The last answers. */
    struct analysis_result *results;
    size_t result_count, result_capacity;
    struct analysis_sum *sums;
    size_t sum_capacity;
    struct analysis_hidden *hidden;
    size_t hidden_count, hidden_capacity;
};

/* The number of a name: an index into the array beside it, whose element is made (zero) when the name is new.
 * -ENOMEM otherwise. A kind of NULL stands for lines, as in profiles. */
long state_location(struct analysis *analysis, const char *location);
long state_kind(struct analysis *analysis, const char *kind);
/* Whether targets of that kind are several of a run's targets as one: their samples are counted with those. */
bool state_is_group(const char *kind, const char *run);
long state_target(struct analysis *analysis, const char *kind, const char *location);
long state_point(struct analysis *analysis, enum analysis_metric metric, const char *name);

/* What is known of a target at a point, to be changed: its curve is fresh no longer. NULL: memory is out. */
struct target_cell *state_cell(struct analysis *analysis, size_t target_id, size_t point);
