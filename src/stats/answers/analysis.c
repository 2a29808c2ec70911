#include "stats/answers/analysis.h"

#include "stats/answers/state.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* No controller makes blocks so long; a file that claims so must not make us keep it all. */
enum { BLOCK_MAX_WINDOWS = 1024 };

static int close_point(struct analysis *analysis, uint32_t point, struct paired_window *pairs,
                       struct control_value *controls)
{
    struct target_cell *cell = state_cell(analysis, analysis->target, point);
    if (!cell)
        return -ENOMEM;
    int code = 0;
    for (int beside = 0; beside < BESIDE_KINDS; beside++) {
        size_t count = block_control(&analysis->block, point, (enum beside)beside, controls);
        for (size_t i = 0; i < count && code == 0; i++)
            code = control_add(&analysis->points[point].controls[beside], &controls[i]);
    }
    size_t count = block_pair(&analysis->block, point, pairs);
    if (count > 0 && code == 0)
        code = cell_add_block(&cell->cell, pairs, count, analysis->settled_ns);
    return code;
}

/* The block is over: hand what it says to the cells. */
static int close_block(struct analysis *analysis)
{
    struct block *block = &analysis->block;
    size_t count = block->count;
    analysis->place = OUTSIDE;
    if (count == 0)
        return 0;
    struct paired_window *pairs = malloc(count * sizeof *pairs);
    struct control_value *controls = malloc(count * sizeof *controls);
    int code = pairs && controls ? 0 : -ENOMEM;
    for (size_t i = 0; i < count; i++) {
        for (size_t r = 0; r < block->windows[i].count && code == 0; r++) {
            uint32_t point = block->windows[i].tallies[r].point;
            bool closed = false;
            for (size_t j = 0; j < i && !closed; j++)
                closed = block_has_point(&block->windows[j], point);
            if (!closed)
                code = close_point(analysis, point, pairs, controls);
        }
    }
    free(pairs);
    free(controls);
    block_clear(block);
    return code;
}

static bool continues_block(const struct analysis *analysis, const struct profile_record *record,
                            size_t target)
{
    const struct block *block = &analysis->block;
    if (analysis->place != IN_BLOCK || !record->experiment.has_block || block->count == 0)
        return false;
    uint64_t window = record->experiment.window;
    return analysis->block_number == record->experiment.block && analysis->target == target &&
           block->count < BLOCK_MAX_WINDOWS &&
           (window == 0 || window > block->windows[block->count - 1].place);
}

/* A window's duration is virtual, and without what our own work cost in it. The run's is real, and has that
 * work in it; so has the CPU time of both. */
static double real_ns(const struct profile_record *record)
{
    return (double)record->experiment.duration_ns + (double)record->experiment.delay_ns;
}

/* By time, not by samples: these are rarer where threads are sampled by timer. */
/* Of the window's own, virtual time. */
static double stolen_of(const struct profile_record *record)
{
    double duration_ns = (double)record->experiment.duration_ns;
    return duration_ns > 0 ? (double)record->experiment.stolen_ns / duration_ns : 0;
}

static double exposure_of(const struct profile_record *record)
{
    double duration = real_ns(record);
    bool is_known = record->experiment.selected_ns > 0 || record->experiment.selected_samples == 0;
    return duration > 0 && is_known ? (double)record->experiment.selected_ns / duration : NAN;
}

static int add_experiment(struct analysis *analysis, const struct profile_record *record)
{
    const char *kind = record->experiment.kind ? record->experiment.kind : "line";
    long target = state_target(analysis, kind, record->experiment.selected);
    if (target < 0)
        return -ENOMEM;
    if (!continues_block(analysis, record, (size_t)target)) {
        int code = close_block(analysis);
        if (code < 0)
            return code;
    }
    analysis->experiments++;
    analysis->place = record->experiment.has_block ? IN_BLOCK : LOOSE_WINDOW;
    analysis->target = (size_t)target;
    analysis->block_number = record->experiment.block;
    analysis->settled_ns = record->experiment.settled_ns;
    analysis->speedup = speedup_of_double(record->experiment.speedup);
    analysis->duration_ns = record->experiment.duration_ns;

    struct target_state *state = &analysis->targets[target];
    state->windows++;
    analysis->of_kind[state->kind_id].windows_ns += real_ns(record);
    state->window_samples += (double)record->experiment.selected_samples;
    /* A sped-up window of ours is itself changed by the speedup: the share of the target in it is not the
     * run's. The original has too few baseline windows to do without the others. */
    if (!record->experiment.has_block || analysis->speedup == 0) {
        state->observed.time_ns += real_ns(record);
        state->observed.samples += (double)record->experiment.selected_samples;
        state->observed.cpu_ns += (double)record->experiment.selected_ns;
        state->window_cpu_ns += (double)record->experiment.sampled_ns;
    }
    int code = strains_add(&state->strains, analysis->speedup, record->experiment.duration_ns,
                           record->experiment.delay_ns, record->experiment.paused_ns);
    if (code == 0 && analysis->place == IN_BLOCK)
        code = block_add_window(&analysis->block, &(struct block_window){.speedup = analysis->speedup,
                                                                         .place = record->experiment.window,
                                                                         .exposure = exposure_of(record),
                                                                         .stolen = stolen_of(record)});
    return code;
}

static int add_point(struct analysis *analysis, enum analysis_metric metric, const char *name, double elapsed,
                     double visits)
{
    if (analysis->place == OUTSIDE)
        return 0;
    long point = state_point(analysis, metric, name);
    if (point < 0)
        return -ENOMEM;
    struct target_cell *cell = state_cell(analysis, analysis->target, (size_t)point);
    if (!cell)
        return -ENOMEM;
    analysis->points[point].windows++;
    analysis->points[point].visits += visits;
    cell->cell.visits += visits;
    if (analysis->place == IN_BLOCK)
        return block_add_tally(&analysis->block, &(struct tally){(uint32_t)point, elapsed, visits});
    return cell_add_loose(&cell->cell,
                          &(struct loose_window){analysis->speedup, (float)elapsed, (float)visits});
}

static int begin_run(struct analysis *analysis, const char *granularity)
{
    int code = close_block(analysis);
    analysis->run_kind = state_kind(analysis, granularity);
    analysis->run_tells_samples = false;
    return analysis->run_kind < 0 ? -ENOMEM : code;
}

static int end_run(struct analysis *analysis, const struct profile_record *record)
{
    if (analysis->run_kind < 0 && (analysis->run_kind = state_kind(analysis, NULL)) < 0)
        return -ENOMEM;
    struct kind_state *state = &analysis->of_kind[analysis->run_kind];
    state->runtime_ns += record->runtime.time_ns;
    state->baseline_ns += record->runtime.baseline_ns;
    state->lacks_baseline |= record->runtime.baseline_ns == 0;
    state->samples += (double)record->runtime.samples;
    state->lived_ns += record->runtime.lived_ns;
    state->cpu_ns += record->runtime.cpu_ns;
    analysis->run_tells_samples = record->runtime.samples > 0;
    return close_block(analysis);
}

static int add_samples(struct analysis *analysis, const struct profile_record *record)
{
    long location = state_location(analysis, record->samples.location);
    long kind = state_kind(analysis, record->samples.kind);
    if (location < 0 || kind < 0)
        return -ENOMEM;
    struct location_state *state = &analysis->samples[location];
    double samples = (double)record->samples.count, cpu = (double)record->samples.cpu_ns;
    bool is_beside = kind_is_wait(record->samples.kind) ||
                     (analysis->run_kind >= 0 &&
                      state_is_region_beside(record->samples.kind, analysis->kinds.text[analysis->run_kind]));
    bool has_own = record->samples.kind && strcmp(record->samples.kind, "function") == 0 && cpu > 0;
    state->samples += samples;
    state->cpu_ns += cpu;
    state->baseline_ns += (double)record->samples.baseline_ns;
    state->left_open += record->samples.left_open;
    state->never_begun += record->samples.never_begun;
    if (!is_beside)
        state->own_samples += has_own ? samples * (double)record->samples.self_ns / cpu : samples;
    bool is_group = record->samples.kind && analysis->run_kind >= 0 &&
                    state_is_group(record->samples.kind, analysis->kinds.text[analysis->run_kind]);
    state->kind = is_group ? analysis->run_kind : kind;
    if (!analysis->run_tells_samples && !is_group && !is_beside)
        analysis->of_kind[kind].samples += samples;
    int code = sums_add(&analysis->functions, &analysis->files, record);
    if (record->samples.function)
        state->function = names_find(&analysis->functions.names, record->samples.function) + 1;
    return code ? code : close_block(analysis);
}

int analysis_finish(struct analysis *analysis)
{
    return begin_run(analysis, NULL);
}

int analysis_add(struct analysis *analysis, const struct profile_record *record)
{
    uint64_t elapsed;
    switch (record->type) {
    case PROFILE_EXPERIMENT:
        return add_experiment(analysis, record);
    case PROFILE_THROUGHPUT:
        elapsed = record->throughput.elapsed_ns ? record->throughput.elapsed_ns : analysis->duration_ns;
        return add_point(analysis, METRIC_THROUGHPUT, record->throughput.name, (double)elapsed,
                         (double)record->throughput.delta);
    case PROFILE_LATENCY:
        /* Little's law, W = L / lambda, with lambda = arrivals / elapsed. */
        elapsed = record->latency.elapsed_ns ? record->latency.elapsed_ns : analysis->duration_ns;
        return add_point(analysis, METRIC_LATENCY, record->latency.name,
                         record->latency.difference * (double)elapsed, (double)record->latency.arrivals);
    case PROFILE_RUNTIME:
        return end_run(analysis, record);
    case PROFILE_SAMPLES:
        return add_samples(analysis, record);
    case PROFILE_STACK:
        return stacks_add(&analysis->stacks, record->stack.kind, record->stack.location, record->stack.frames,
                          record->stack.count);
    case PROFILE_STARTUP:
        return begin_run(analysis, record->startup.granularity);
    case PROFILE_PROCESS_POINT: /* part of what the point's own record says */
    case PROFILE_PROCESS_LATENCY:
    case PROFILE_PROCESS:
    case PROFILE_LATENCY_TIMES: /* latency/latencies.h */
    case PROFILE_DISCARDED:     /* tell of the run, and nothing of its targets */
    case PROFILE_SOURCE:
    case PROFILE_REMARK:
    case PROFILE_WAIT: /* waits.h */
    case PROFILE_WAKE:
    case PROFILE_AWAIT:
        break;
    }
    return 0;
}
