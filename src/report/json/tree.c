#include "report/json/tree.h"

#include "profile/frames.h"
#include "profile/verified.h"
#include "report/advice.h"
#include "report/json/latency.h"
#include "report/json/runs.h"
#include "report/json/values.h"
#include "stats/answers/details.h"
#include "stats/answers/together.h"
#include "stats/waits/waiting.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of single windows and of stacks, so many for each answer, and so many for all, the best first. */
enum { SINGLES_MOST = 300, SINGLES_IN_ALL = 16000, STACKS_MOST = 5, STACKS_IN_ALL = 500 };

/* How many of those there is room for yet. */
struct room {
    size_t singles, stacks;
};
enum { VERIFIED_MOST = 200 }; /* the latest */

#define HALF_WANTED 0.05 /* to either side, of an impact: known well enough to choose by */

json_t *report_curve(const struct analysis_result *result)
{
    json_t *curve = json_array();
    for (size_t i = 0; i < result->curve_count; i++) {
        const struct curve_point *point = &result->curve[i];
        json_array_append_new(
            curve, json_pack("{s:o, s:o, s:o, s:o, s:I}", "speedup", make_number(point->speedup), "effect",
                             make_number(point->effect), "low", make_number(point->low), "high",
                             make_number(point->high), "windows", (json_int_t)point->windows));
    }
    return curve;
}

/* Single windows, as speedup, effect, speedup, effect, ...; and their residuals. */
static void set_singles(json_t *object, const struct analysis *analysis, const struct analysis_result *result,
                        struct room *room)
{
    size_t *left = &room->singles;
    struct analysis_single singles[SINGLES_MOST];
    size_t count = analysis_singles(analysis, result, singles, *left < SINGLES_MOST ? *left : SINGLES_MOST);
    json_t *windows = json_array(), *residuals = json_array();
    for (size_t i = 0; i < count; i++) {
        json_array_append_new(windows, make_number(singles[i].speedup));
        json_array_append_new(windows, make_rounded(singles[i].effect));
        json_array_append_new(residuals, make_rounded(singles[i].residual));
    }
    *left -= count;
    json_object_set_new(object, "singles", windows);
    json_object_set_new(object, "residuals", residuals);
}

static json_t *kink_json(const struct analysis_result *result)
{
    const struct kink *kink = &result->kink;
    if (!isfinite(kink->change))
        return json_null();
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:b}", "slower", make_number(kink->slower), "faster",
                     make_number(kink->faster), "change", make_number(kink->change), "low",
                     make_number(kink->low), "high", make_number(kink->high), "shown", result->has_kink);
}

/* How much longer the runs must be until the impact is known to HALF_WANTED; null: no length will do,
 * or nobody knows how long they were. */
static json_t *narrow_json(const struct analysis *analysis, const struct analysis_result *result)
{
    double times = analysis_longer(result, HALF_WANTED);
    double taken_ns = (double)analysis_runtime_ns(analysis), more_ns = fmax(0, times - 1) * taken_ns;
    bool is_known = isfinite(times) && more_ns < 1e18 && (times <= 1 || taken_ns > 0);
    return is_known ? json_integer((json_int_t)more_ns) : json_null();
}

/* null where a target is one. */
static json_t *together_json(const struct analysis_result *result, const struct analysis_result *all,
                             size_t count)
{
    static const char *const findings[] = {"not known", "add", "more", "less"};
    struct together found;
    if (!together_find(result, all, count, &found))
        return json_null();
    return json_pack("{s:s, s:o, s:o, s:o, s:o}", "finding", findings[found.finding], "sum",
                     make_number(found.sum), "difference", make_number(found.difference), "low",
                     make_number(found.low), "high", make_number(found.high));
}

/* What the threads of a target without effect wait for; null: that is not known, or it has an effect. */
static json_t *reason_json(const struct analysis_result *result, const struct report_options *options)
{
    struct reason reason = reason_of(result, options);
    if (reason.share <= 0)
        return json_null();
    return json_pack("{s:o, s:o, s:s, s:o}", "share", make_rounded(reason.share), "by", make_text(reason.by),
                     "class", reason.class, "place", make_text(reason.place));
}

static json_t *frames_json(const char *frames)
{
    json_t *array = json_array();
    struct profile_frame frame;
    while (profile_frame_next(&frames, &frame)) {
        json_array_append_new(array, json_pack("{s:o, s:o, s:b}", "function", make_text(frame.function),
                                               "place", make_text(frame.place), "inlined", frame.is_inlined));
        profile_frame_release(&frame);
    }
    return array;
}

/* The most frequent ways to the target, with what part of its samples came so. */
static json_t *stacks_json(const struct analysis *analysis, const struct analysis_result *result,
                           struct room *room)
{
    const struct analysis_stack *stacks;
    uint64_t samples;
    size_t count = analysis_stacks(analysis, result, &stacks, &samples);
    json_t *array = json_array();
    for (size_t i = 0; i < count && i < STACKS_MOST && room->stacks > 0; i++, room->stacks--)
        json_array_append_new(array, json_pack("{s:o, s:o}", "share",
                                               make_rounded((double)stacks[i].count / (double)samples),
                                               "frames", frames_json(stacks[i].frames)));
    return array;
}

/* Empty where nothing is known of single units. */
static json_t *units_json(const struct latencies *latencies, const struct analysis_result *result)
{
    if (!latencies || result->metric != METRIC_LATENCY)
        return json_array();
    return latency_target_json(latencies, result->kind, result->location, result->point);
}

/* all: the results for all targets. */
static json_t *result_json(const struct analysis *analysis, const struct analysis_result *result,
                           const struct analysis_result *all, size_t count, unsigned group,
                           const struct report_options *options, struct room *room)
{
    const char *function = analysis_function_of(analysis, result);
    json_t *object = json_pack("{s:o, s:o, s:o, s:s, s:I, s:o, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
                               "kind", make_text(result->kind), "location", make_text(result->location),
                               "point", make_text(result->point), "metric",
                               result->metric == METRIC_LATENCY ? "latency" : "throughput", "samples",
                               (json_int_t)result->samples, "share", make_number(result->share), "verdict",
                               analysis_verdict_name(result->verdict), "impact", make_number(result->impact),
                               "low", make_number(result->low), "high", make_number(result->high), "chance",
                               make_number(result->chance), "more", make_number(result->more_ns), "strain",
                               make_number(result->strain), "curve", report_curve(result));
    json_object_set_new(object, "function", make_text(function));
    json_object_set_new(object, "group", group ? json_integer(group) : json_null());
    json_object_set_new(object, "to_5_points", narrow_json(analysis, result));
    json_object_set_new(object, "kink", kink_json(result));
    if (strcmp(result->kind, "region") == 0) {
        json_object_set_new(object, "left_open", json_integer((json_int_t)result->left_open));
        json_object_set_new(object, "never_begun", json_integer((json_int_t)result->never_begun));
    }
    json_object_set_new(object, "together", together_json(result, all, count));
    json_object_set_new(object, "units", units_json(options->latencies, result));
    set_singles(object, analysis, result, room);
    json_object_set_new(object, "stacks", stacks_json(analysis, result, room));
    json_object_set_new(object, "waits_for", reason_json(result, options));
    return object;
}

static json_t *sums_json(struct analysis *analysis, enum analysis_sums what)
{
    const struct analysis_sum *sums;
    size_t count = analysis_sums(analysis, what, &sums);
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++) {
        json_t *sum =
            json_pack("{s:o, s:o}", "name", make_text(sums[i].name), "share", make_number(sums[i].own));
        if (what == SUMS_FUNCTIONS)
            json_object_set_new(sum, "share_with_called", make_number(sums[i].with_called));
        json_array_append_new(array, sum);
    }
    return array;
}

static json_t *results_json(struct analysis *analysis, const struct report_options *options)
{
    const struct analysis_result *results;
    size_t count = analysis_results(analysis, &results), taken = 0;
    struct room room = {SINGLES_IN_ALL, STACKS_IN_ALL};
    unsigned *groups = calloc(count + 1, sizeof *groups);
    json_t *array = json_array();
    for (size_t i = 0; groups && i < count; i++) {
        if (i == 0 || results[i].point != results[i - 1].point) {
            size_t end = i;
            while (end < count && results[end].point == results[i].point)
                end++;
            analysis_group(results + i, end - i, groups + i);
            taken = 0;
        }
        if (!option_wants(options, &results[i]) || (options->top && taken >= options->top))
            continue;
        taken++;
        json_array_append_new(array,
                              result_json(analysis, &results[i], results, count, groups[i], options, &room));
    }
    free(groups);
    return array;
}

static json_t *hidden_json(struct analysis *analysis)
{
    const struct analysis_hidden *hidden;
    size_t count = analysis_hidden(analysis, &hidden);
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(array, json_pack("{s:o, s:o}", "location", make_text(hidden[i].location), "why",
                                               make_text(hidden[i].why)));
    return array;
}

static json_t *wakes_json(const struct waiting *waiting, const struct waiting_wait *wait)
{
    json_t *array = json_array();
    for (size_t i = 0; i < wait->wake_count; i++) {
        const struct waiting_wake *wake = &wait->wakes[i];
        const struct waiting_wait *after = waiting_after(waiting, wake);
        json_array_append_new(
            array,
            json_pack("{s:o, s:I, s:I, s:o}", "by", make_text(wake->by), "count", (json_int_t)wake->count,
                      "time", (json_int_t)wake->time_ns, "after",
                      after ? json_pack("{s:s, s:o}", "class", after->class, "place", make_text(after->place))
                            : json_null()));
    }
    return array;
}

static void set_waiting(json_t *root, struct waiting *waiting)
{
    const struct waiting_wait *waits;
    size_t count = waiting_waits(waiting, &waits);
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(array, json_pack("{s:s, s:o, s:I, s:I, s:o}", "class", waits[i].class, "place",
                                               make_text(waits[i].place), "count", (json_int_t)waits[i].count,
                                               "time", (json_int_t)waits[i].time_ns, "ended",
                                               wakes_json(waiting, &waits[i])));
    json_object_set_new(root, "waits", array);
    json_object_set_new(root, "threads",
                        json_pack("{s:I, s:I, s:I}", "lived", (json_int_t)waiting_lived_ns(waiting), "cpu",
                                  (json_int_t)waiting_cpu_ns(waiting), "queued",
                                  (json_int_t)waiting_queued_ns(waiting)));
}

struct verified_list {
    json_t *array;
    const char *point; /* NULL: any */
};

static int add_verified(void *context, const struct verified *verified)
{
    struct verified_list *list = context;
    if (list->point && strcmp(list->point, verified->point) != 0)
        return 0;
    json_t *object = verified_json(verified);
    json_object_del(object, "type");
    json_object_set_new(object, "outcome", json_string(verified_outcome_name(verified_outcome(verified))));
    if (json_array_size(list->array) == VERIFIED_MOST)
        json_array_remove(list->array, 0);
    return json_array_append_new(list->array, object);
}

/* What was verified, of any target. */
static json_t *all_verified_json(const struct report_options *options)
{
    struct verified_list list = {json_array(), options->point};
    for (size_t i = 0; i < options->ledger_count; i++)
        verified_read(options->ledgers[i], add_verified, &list);
    return list.array;
}

/* Of each pair of begin and end points. */
static json_t *latencies_json(struct analysis *analysis, const struct report_options *options)
{
    const struct analysis_result *results;
    size_t count = analysis_results(analysis, &results);
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++) {
        bool is_new = i == 0 || results[i].point != results[i - 1].point;
        if (!is_new || results[i].metric != METRIC_LATENCY || !option_wants(options, &results[i]))
            continue;
        json_t *object = latency_point_json(options->latencies, results[i].point);
        if (object) {
            json_object_set_new(object, "point", make_text(results[i].point));
            json_array_append_new(array, object);
        }
    }
    return array;
}

json_t *report_tree(struct analysis *analysis, const struct report_options *options)
{
    json_t *results = results_json(analysis, options);
    json_t *root = json_pack(
        "{s:i, s:I, s:I, s:I, s:o, s:o, s:o, s:o, s:o}", "schema", 1, "runtime",
        (json_int_t)analysis_runtime_ns(analysis), "windows", (json_int_t)analysis_windows(analysis),
        "samples", (json_int_t)analysis_samples(analysis), "control_spread",
        make_number(analysis_control_spread(analysis)), "results", results, "hidden", hidden_json(analysis),
        "functions", sums_json(analysis, SUMS_FUNCTIONS), "files", sums_json(analysis, SUMS_FILES));
    if (root && options->latencies)
        json_object_set_new(root, "latencies", latencies_json(analysis, options));
    if (root && options->story)
        runs_set(root, options->story);
    if (root && options->waiting)
        set_waiting(root, options->waiting);
    if (root)
        json_object_set_new(root, "verified", all_verified_json(options));
    return root;
}
