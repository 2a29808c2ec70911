#include "stats/answers/details.h"

#include "stats/answers/state.h"
#include "stats/estimate/estimate.h"
#include "stats/input/target_key.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Names are owned by the analysis, so that the same name is the same pointer. */
static const struct target_state *find_target(const struct analysis *analysis,
                                              const struct analysis_result *result)
{
    long id = target_key_find(&analysis->target_names, result->kind, result->location);
    return id < 0 ? NULL : &analysis->targets[id];
}

static double residual_of(const struct curve *curve, double speedup, double effect)
{
    for (size_t i = 0; i < curve->count; i++)
        if (curve->points[i].speedup == speedup)
            return effect - curve->points[i].effect;
    return NAN;
}

size_t analysis_singles(const struct analysis *analysis, const struct analysis_result *result,
                        struct analysis_single *singles, size_t most)
{
    const struct target_state *target = find_target(analysis, result);
    size_t point = 0, count = 0;
    while (point < analysis->point_names.count && analysis->points[point].name != result->point)
        point++;
    if (!target || point >= target->cell_count || !target->cells[point])
        return 0;
    const struct cell *cell = &target->cells[point]->cell;
    const struct curve *curve = &target->cells[point]->curve;
    struct noise noise = noise_of_controls(analysis->points[point].controls);
    for (size_t b = 0; b < cell->rested_count; b++) {
        for (size_t w = 0; w < cell->blocks[b].count && count < most; w++) {
            const struct paired_window *window = &cell->blocks[b].windows[w];
            double theta = noise_log_ratio(&noise, window);
            double speedup = window->speedup / 1000.0, effect = effect_of_log_ratio(theta);
            if (isfinite(theta))
                singles[count++] =
                    (struct analysis_single){speedup, effect, residual_of(curve, speedup, effect)};
        }
    }
    return count;
}

size_t analysis_stacks(const struct analysis *analysis, const struct analysis_result *result,
                       const struct analysis_stack **stacks, uint64_t *samples)
{
    const struct stacks_location *there = stacks_of(&analysis->stacks, result->kind, result->location);
    *stacks = there ? there->list : NULL;
    *samples = there ? there->samples : 0;
    return there ? there->count : 0;
}

const char *analysis_function_of(const struct analysis *analysis, const struct analysis_result *result)
{
    long id = names_find(&analysis->locations, result->location);
    long function = id < 0 ? 0 : analysis->samples[id].function;
    return function > 0 ? analysis->functions.names.text[function - 1] : NULL;
}

double analysis_share_at(const struct analysis *analysis, const char *location)
{
    long id = names_find(&analysis->locations, location);
    if (id < 0 || analysis->samples[id].samples <= 0)
        return NAN;
    return analysis->samples[id].samples / analysis->of_kind[analysis->samples[id].kind].samples;
}

static double half_width(const struct analysis_result *result)
{
    return (result->high - result->low) / 2;
}

static bool is_told_apart(const struct analysis_result *a, const struct analysis_result *b)
{
    return !(fabs(a->impact - b->impact) <= hypot(half_width(a), half_width(b)));
}

void analysis_group(const struct analysis_result *results, size_t count, unsigned *groups)
{
    unsigned number = 0;
    const struct analysis_result *first = NULL;
    for (size_t i = 0; i < count; i++) {
        groups[i] = 0;
        if (results[i].verdict != VERDICT_IMPROVES && results[i].verdict != VERDICT_HARMFUL)
            continue;
        if (!first || first->verdict != results[i].verdict || is_told_apart(first, &results[i])) {
            first = &results[i];
            number++;
        }
        groups[i] = number;
    }
}

double analysis_longer(const struct analysis_result *result, double half)
{
    double now = half_width(result), chance = result->chance;
    if (!isfinite(now) || !isfinite(chance))
        return NAN;
    double of_method = sqrt(fmax(0, now * now - chance * chance));
    double left = half * half - of_method * of_method;
    return left > 0 ? chance * chance / left : NAN;
}
