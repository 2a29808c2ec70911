/* From the cells to ranked answers. See curve.c for the numbers; here is what is made of them. */
#include "base/array.h"
#include "stats/answers/analysis.h"
#include "stats/answers/estimates.h"
#include "stats/answers/state.h"
#include "stats/answers/verdict.h"
#include "stats/numbers/quantile.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A location with this share of the samples that was never tried is worth a word. */
#define SHARE_WORTH_TRYING 0.01
enum { CONTROLS_FOR_SPREAD = 8 };

const char *analysis_verdict_name(enum analysis_verdict verdict)
{
    static const char *const names[] = {"improves", "no effect", "harmful", "not enough data"};
    return names[verdict];
}

double analysis_control_spread(const struct analysis *analysis)
{
    size_t count = 0, n = 0;
    for (size_t p = 0; p < analysis->point_names.count; p++) {
        const struct control *controls = analysis->points[p].controls;
        count += controls[beside_with_less_noise(controls)].count;
    }
    double *all = count >= CONTROLS_FOR_SPREAD ? malloc(count * sizeof *all) : NULL;
    if (!all)
        return NAN;
    for (size_t p = 0; p < analysis->point_names.count; p++) {
        const struct control *controls = analysis->points[p].controls;
        struct noise noise = noise_of_controls(controls);
        const struct control *control = &controls[noise.beside];
        for (size_t i = 0; i < control->count; i++)
            all[n++] = fabs(control_left(control, i, noise.per_stolen));
    }
    sort_doubles(all, n);
    double spread = quantile_sorted(all, n, 0.95);
    free(all);
    return spread;
}

/* x times a factor that is itself known to within a relative standard error only. */
static void scale_interval(double *value, double *low, double *high, double factor, double relative_error)
{
    double extra = quantile_normal(0.975) * relative_error * fabs(*value);
    double below = hypot(*value - *low, extra), above = hypot(*high - *value, extra);
    *value *= factor;
    *low = *value - factor * below;
    *high = *value + factor * above;
}

static const struct location_state *location_of(const struct analysis *analysis,
                                                const struct target_state *target)
{
    /* state_target() made the location. */
    return &analysis->samples[names_find(&analysis->locations, target->location)];
}

static struct exposure whole_of(const struct analysis *analysis, const struct target_state *target)
{
    const struct location_state *location = location_of(analysis, target);
    const struct kind_state *runs = &analysis->of_kind[target->kind_id];
    /* Delays make every other line rarer per second: where it is known, the time without any is what counts.
     */
    if (!runs->lacks_baseline && location->baseline_ns > 0 && location->cpu_ns > 0)
        return (struct exposure){(double)runs->baseline_ns,
                                 location->samples * location->baseline_ns / location->cpu_ns,
                                 location->baseline_ns};
    return (struct exposure){(double)runs->runtime_ns, location->samples, location->cpu_ns};
}

static void fill_share(const struct analysis *analysis, const struct target_state *target,
                       struct analysis_result *result)
{
    const struct location_state *location = location_of(analysis, target);
    double samples = location->samples, lived = (double)analysis->of_kind[target->kind_id].lived_ns;
    if (kind_is_wait(target->kind)) {
        bool has_ended = samples > 0 && lived > 0;
        double time = has_ended ? lived : target->observed.time_ns;
        result->samples = (uint64_t)(has_ended ? samples : target->window_samples);
        result->share =
            time > 0 ? fmin(1, (has_ended ? location->cpu_ns : target->observed.cpu_ns) / time) : 0;
        return;
    }
    double ran = (double)analysis->of_kind[target->kind_id].cpu_ns;
    result->left_open = location->left_open;
    result->never_begun = location->never_begun;
    if (samples > 0 && ran > 0 &&
        state_is_region_beside(target->kind, analysis->kinds.text[target->kind_id])) {
        result->samples = (uint64_t)samples;
        result->share = fmin(1, location->cpu_ns / ran);
        return;
    }
    if (samples > 0) {
        result->samples = (uint64_t)samples;
        result->share = samples / analysis->of_kind[target->kind_id].samples;
        return;
    }
    /* The run has not ended (well): only its windows can say. */
    result->samples = (uint64_t)target->window_samples;
    result->share = target->window_cpu_ns > 0 ? target->observed.cpu_ns / target->window_cpu_ns : 0;
}

/* By all runs that had such targets; those that did not end (well) took at least as long as their windows. */
static double time_taken(const struct kind_state *runs)
{
    return fmax((double)runs->runtime_ns, runs->windows_ns);
}

static int add_result(struct analysis *analysis, const struct target_state *target,
                      const struct point_state *point, const struct curve *curve)
{
    if (analysis->result_count == analysis->result_capacity) {
        struct analysis_result *results =
            array_grown(analysis->results, &analysis->result_capacity, sizeof *results);
        if (!results)
            return -ENOMEM;
        analysis->results = results;
    }
    struct analysis_result *result = &analysis->results[analysis->result_count];
    *result = (struct analysis_result){
        .kind = target->kind,
        .location = target->location,
        .point = point->name,
        .metric = point->metric,
        .impact = curve->impact,
        .low = curve->low,
        .high = curve->high,
        .chance = curve->chance,
        .freedom = curve->freedom,
        .strain = curve->strain,
        .kink = curve->kink,
        .curve = malloc((curve->count + 1) * sizeof *result->curve),
        .curve_count = curve->count,
    };
    if (!result->curve)
        return -ENOMEM;
    analysis->result_count++;
    struct exposure whole = whole_of(analysis, target);
    fill_share(analysis, target, result);
    double relative_error,
        factor = phase_factor(&target->observed, &whole, curve->has_phases, &relative_error);
    scale_interval(&result->impact, &result->low, &result->high, factor, relative_error);
    result->chance *= factor;
    struct kink *kink = &result->kink;
    kink->slower *= factor;
    kink->faster *= factor;
    scale_interval(&kink->change, &kink->low, &kink->high, factor, relative_error);
    result->has_kink = kink->low > 0 || kink->high < 0;
    if (curve->count > 0)
        memcpy(result->curve, curve->points, curve->count * sizeof *result->curve);
    for (size_t i = 0; i < curve->count; i++)
        scale_interval(&result->curve[i].effect, &result->curve[i].low, &result->curve[i].high, factor,
                       relative_error);
    result->verdict = verdict_of(result, curve->allowed * factor);
    result->more_ns = verdict_more(result, time_taken(&analysis->of_kind[target->kind_id]));
    return 0;
}

static void __attribute__((format(printf, 3, 4)))
hide_location(struct analysis *analysis, const char *location, const char *format, ...)
{
    if (analysis->hidden_count == analysis->hidden_capacity) {
        struct analysis_hidden *hidden =
            array_grown(analysis->hidden, &analysis->hidden_capacity, sizeof *hidden);
        if (!hidden)
            return;
        analysis->hidden = hidden;
    }
    struct analysis_hidden *entry = &analysis->hidden[analysis->hidden_count++];
    entry->location = location;
    va_list args;
    va_start(args, format);
    vsnprintf(entry->why, sizeof entry->why, format, args);
    va_end(args);
}

static void explain_too_little(struct analysis *analysis, const struct target_state *target,
                               const struct point_state *point, const struct target_cell *cell)
{
    const char *of = point->metric == METRIC_LATENCY ? "latency of " : "", *name = point->name;
    if (cell->cell.visits == 0)
        hide_location(analysis, target->location, "%.60s was not reached while this was tried", name);
    else if (cell->cell.loose_count > 0 && cell->curve.units == 0)
        hide_location(analysis, target->location,
                      "no windows at speedup 0 beside faster ones to compare with (%s%.60s)", of, name);
    else
        hide_location(analysis, target->location,
                      "tried in %zu complete block%s, and %zu are needed (%s%.60s); run longer",
                      cell->curve.units, cell->curve.units == 1 ? "" : "s", cell->curve.least_units, of,
                      name);
}

static int answer_target(struct analysis *analysis, struct target_state *target, size_t point_id)
{
    const struct point_state *point = &analysis->points[point_id];
    const struct target_cell *cell = target->cells[point_id];
    if (curve_is_answer(&cell->curve))
        return add_result(analysis, target, point, &cell->curve);
    /* What was tried is told, though there is nothing to tell of it yet but that. */
    explain_too_little(analysis, target, point, cell);
    return add_result(
        analysis, target, point,
        &(struct curve){
            .impact = NAN, .low = NAN, .high = NAN, .chance = INFINITY, .kink = {NAN, NAN, NAN, NAN, NAN}});
}

static void hide_unanswered(struct analysis *analysis)
{
    for (size_t p = 0; p < analysis->point_names.count; p++)
        if (analysis->points[p].visits == 0)
            hide_location(analysis, analysis->points[p].name,
                          "this progress point was never reached (in %" PRIu64 " windows)",
                          analysis->points[p].windows);
    for (size_t t = 0; t < analysis->target_names.count; t++) {
        const struct target_state *target = &analysis->targets[t];
        bool any = false;
        for (size_t p = 0; p < target->cell_count; p++)
            any = any || target->cells[p];
        if (!any)
            hide_location(analysis, target->location, "no progress point was reached while this was tried");
    }
    for (size_t i = 0; i < analysis->locations.count; i++) {
        const struct location_state *location = &analysis->samples[i];
        double all = location->samples > 0 ? analysis->of_kind[location->kind].samples : 0;
        if (!location->tried && all > 0 && location->own_samples >= SHARE_WORTH_TRYING * all)
            hide_location(analysis, analysis->locations.text[i],
                          "never tried, with %.1f %% of the samples; run longer",
                          100 * location->own_samples / all);
    }
}

static int compare_results(const void *a, const void *b)
{
    const struct analysis_result *x = a, *y = b;
    if (isnan(x->impact) != isnan(y->impact))
        return isnan(x->impact) ? 1 : -1;
    if (isnan(x->impact))
        return strcmp(x->location, y->location);
    if ((x->verdict == VERDICT_HARMFUL) != (y->verdict == VERDICT_HARMFUL))
        return x->verdict == VERDICT_HARMFUL ? 1 : -1;
    /* Harmful: the surest first. Otherwise what is sure to help most. */
    double i = x->verdict == VERDICT_HARMFUL ? -x->high : x->low;
    double j = y->verdict == VERDICT_HARMFUL ? -y->high : y->low;
    if (i != j)
        return i > j ? -1 : 1;
    return strcmp(x->location, y->location);
}

static void clear_answers(struct analysis *analysis)
{
    for (size_t i = 0; i < analysis->result_count; i++)
        free(analysis->results[i].curve);
    analysis->result_count = analysis->hidden_count = 0;
}

static void answer_all(struct analysis *analysis)
{
    clear_answers(analysis);
    for (size_t p = 0; p < analysis->point_names.count; p++) {
        struct noise noise = noise_of_controls(analysis->points[p].controls);
        if (analysis->points[p].visits == 0)
            continue; /* said once, not for each target */
        if (estimates_refresh(analysis, p, &noise) < 0)
            return;
        size_t first = analysis->result_count;
        for (size_t t = 0; t < analysis->target_names.count; t++) {
            struct target_state *target = &analysis->targets[t];
            if (p < target->cell_count && target->cells[p] && answer_target(analysis, target, p) < 0)
                return;
        }
        if (analysis->result_count > first)
            qsort(analysis->results + first, analysis->result_count - first, sizeof *analysis->results,
                  compare_results);
    }
    hide_unanswered(analysis);
}

size_t analysis_results(struct analysis *analysis, const struct analysis_result **results)
{
    answer_all(analysis);
    *results = analysis->results;
    return analysis->result_count;
}

size_t analysis_hidden(struct analysis *analysis, const struct analysis_hidden **hidden)
{
    *hidden = analysis->hidden;
    return analysis->hidden_count;
}
