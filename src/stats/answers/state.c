#include "stats/answers/state.h"

#include "base/array.h"
#include "stats/input/target_key.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct analysis *analysis_new(void)
{
    struct analysis *analysis = calloc(1, sizeof *analysis);
    if (analysis)
        analysis->run_kind = -1;
    return analysis;
}

void analysis_use_threads(struct analysis *analysis, unsigned count)
{
    analysis->threads = count;
}

void analysis_free(struct analysis *analysis)
{
    if (!analysis)
        return;
    for (size_t i = 0; i < analysis->target_names.count; i++) {
        struct target_state *target = &analysis->targets[i];
        for (size_t p = 0; p < target->cell_count; p++) {
            if (!target->cells[p])
                continue;
            cell_release(&target->cells[p]->cell);
            free(target->cells[p]->curve.points);
            free(target->cells[p]);
        }
        free(target->cells);
        strains_release(&target->strains);
    }
    for (size_t p = 0; p < analysis->point_names.count; p++)
        for (int beside = 0; beside < BESIDE_KINDS; beside++)
            free(analysis->points[p].controls[beside].values);
    for (size_t i = 0; i < analysis->result_count; i++)
        free(analysis->results[i].curve);
    free(analysis->targets);
    free(analysis->points);
    free(analysis->samples);
    free(analysis->results);
    free(analysis->hidden);
    free(analysis->of_kind);
    free(analysis->sums);
    stacks_release(&analysis->stacks);
    sums_release(&analysis->functions);
    sums_release(&analysis->files);
    block_release(&analysis->block);
    names_release(&analysis->kinds);
    names_release(&analysis->target_names);
    names_release(&analysis->point_names);
    names_release(&analysis->locations);
    free(analysis);
}

/* Adds a name to names; elements, an array beside them, always has room for one more than there are names, so
 * that an id is an index whatever failed. */
#define ADD_NAME(names, text, elements, capacity)                                                            \
    __extension__({                                                                                          \
        void *roomy = array_zeroed(elements, &(capacity), (names).count + 1, sizeof *(elements));            \
        if (roomy)                                                                                           \
            (elements) = roomy;                                                                              \
        roomy ? names_add(&(names), text) : -1L;                                                             \
    })

long state_location(struct analysis *analysis, const char *location)
{
    long id = ADD_NAME(analysis->locations, location, analysis->samples, analysis->location_capacity);
    return id < 0 ? -ENOMEM : id;
}

/* NULL stands for lines, as in profiles. */
long state_kind(struct analysis *analysis, const char *kind)
{
    long id = ADD_NAME(analysis->kinds, kind ? kind : "line", analysis->of_kind, analysis->kind_capacity);
    return id < 0 ? -ENOMEM : id;
}

bool state_is_group(const char *kind, const char *run)
{
    return strcmp(kind, "together") == 0 || (strcmp(kind, "file") == 0 && strcmp(run, kind) != 0);
}

static bool is_last_target(const struct analysis *analysis, const char *kind, const char *location)
{
    const struct names *names = &analysis->target_names;
    return names->count > 0 && target_key_is(names->text[analysis->target], kind, location);
}

/* Several targets as one have the samples of the runs they were in, whatever the targets of those are. */
static bool is_of_run(const struct analysis *analysis, const char *kind)
{
    if (analysis->run_kind < 0)
        return false;
    const char *run = analysis->kinds.text[analysis->run_kind];
    return state_is_group(kind, run);
}

long state_target(struct analysis *analysis, const char *kind, const char *location)
{
    if (is_last_target(analysis, kind, location))
        return (long)analysis->target;
    char *key = target_key(kind, location);
    if (!key)
        return -ENOMEM;
    long id = ADD_NAME(analysis->target_names, key, analysis->targets, analysis->target_capacity);
    free(key);
    long kind_id = state_kind(analysis, kind);
    long location_id = state_location(analysis, location);
    if (id < 0 || kind_id < 0 || location_id < 0)
        return -ENOMEM;
    analysis->samples[location_id].tried = true;
    struct target_state *target = &analysis->targets[id];
    target->kind = analysis->kinds.text[kind_id];
    /* Other targets' samples say nothing of waits and regions, but the run's length does. */
    bool is_beside =
        analysis->run_kind >= 0 &&
        (kind_is_wait(kind) || state_is_region_beside(kind, analysis->kinds.text[analysis->run_kind]));
    target->kind_id = is_beside || is_of_run(analysis, kind) ? analysis->run_kind : kind_id;
    target->location = analysis->target_names.text[id] + strlen(kind) + 1;
    return id;
}

/* Of the first few points, which are all that most programs have; -1: it is none of these. */
static long find_early_point(const struct analysis *analysis, enum analysis_metric metric, const char *name)
{
    enum { EARLY_POINTS = 8 };
    for (size_t i = 0; i < EARLY_POINTS && i < analysis->point_names.count; i++)
        if (analysis->points[i].metric == metric && strcmp(analysis->points[i].name, name) == 0)
            return (long)i;
    return -1;
}

long state_point(struct analysis *analysis, enum analysis_metric metric, const char *name)
{
    char *key;
    long early = find_early_point(analysis, metric, name);
    if (early >= 0)
        return early;
    if (asprintf(&key, "%c%s", metric == METRIC_LATENCY ? 'l' : 't', name) < 0)
        return -ENOMEM;
    long id = ADD_NAME(analysis->point_names, key, analysis->points, analysis->point_capacity);
    free(key);
    if (id < 0)
        return -ENOMEM;
    analysis->points[id].name = analysis->point_names.text[id] + 1;
    analysis->points[id].metric = metric;
    return id;
}

struct target_cell *state_cell(struct analysis *analysis, size_t target_id, size_t point)
{
    struct target_state *target = &analysis->targets[target_id];
    void *cells = array_zeroed(target->cells, &target->cell_count, point + 1, sizeof *target->cells);
    if (!cells)
        return NULL;
    target->cells = cells;
    if (!target->cells[point])
        target->cells[point] = calloc(1, sizeof *target->cells[point]);
    if (target->cells[point])
        target->cells[point]->fresh = false;
    return target->cells[point];
}

uint64_t analysis_runtime_ns(const struct analysis *analysis)
{
    uint64_t ns = 0;
    for (size_t i = 0; i < analysis->kinds.count; i++)
        ns += analysis->of_kind[i].runtime_ns;
    return ns;
}

uint64_t analysis_windows(const struct analysis *analysis)
{
    return analysis->experiments;
}

uint64_t analysis_samples(const struct analysis *analysis)
{
    double samples = 0;
    for (size_t i = 0; i < analysis->kinds.count; i++)
        samples += analysis->of_kind[i].samples;
    return (uint64_t)samples;
}

size_t analysis_point_count(const struct analysis *analysis)
{
    return analysis->point_names.count;
}
