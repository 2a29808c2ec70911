#include "stats/compare/impacts.h"

#include "stats/answers/details.h"
#include "stats/compare/judge.h"
#include "stats/compare/matching.h"
#include "stats/numbers/quantile.h"
#include "stats/numbers/spread.h"
#include "stats/numbers/tests.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Standard errors of an impact: of chance, and of what the method itself is off. False: nothing is known. */
static bool split_error(const struct analysis_result *result, double *chance, double *method)
{
    if (!result || isnan(result->impact) || !(result->freedom > 0))
        return false;
    double half = (result->high - result->low) / 2;
    *chance = result->chance / quantile_student(0.5 + LEVEL / 2, result->freedom);
    *method = sqrt(fmax(half * half - result->chance * result->chance, 0)) / quantile_normal(0.5 + LEVEL / 2);
    return isfinite(*chance) && isfinite(*method);
}

/* Chance is of each run by itself. What the method is off hangs on the program and the line, and does not come and
 * go from run to run: half of it is taken for common to both, and cancels. */
static void compare_pair(struct compare_target *target)
{
    double errors[3], freedoms[3] = {0, 0, INFINITY}, methods[2], variance = 0;
    target->change = target->low = target->high = target->chance = NAN;
    target->verdict = COMPARE_TOO_LITTLE;
    if (!split_error(target->before, &errors[0], &methods[0]) ||
        !split_error(target->after, &errors[1], &methods[1]))
        return;
    freedoms[0] = target->before->freedom;
    freedoms[1] = target->after->freedom;
    errors[2] = sqrt(methods[0] * methods[0] + methods[1] * methods[1] - methods[0] * methods[1]);
    for (int i = 0; i < 3; i++)
        variance += errors[i] * errors[i];
    double freedom = freedom_of_sum(errors, freedoms, 3);
    double half = variance > 0 ? quantile_student(0.5 + LEVEL / 2, freedom) * sqrt(variance) : 0;
    target->change = target->after->impact - target->before->impact;
    target->low = target->change - half;
    target->high = target->change + half;
    target->chance = target->change == 0 ? 1 : tail_student(target->change / sqrt(variance), freedom);
}

static int compare_rows(const void *a, const void *b)
{
    const struct compare_target *x = a, *y = b;
    const struct analysis_result *p = x->after ? x->after : x->before, *q = y->after ? y->after : y->before;
    if (strcmp(p->point, q->point) != 0 || p->metric != q->metric)
        return 0; /* they are sorted apart */
    bool is_pair = x->by != MATCH_NONE;
    if (is_pair != (y->by != MATCH_NONE))
        return is_pair ? -1 : 1;
    if (is_pair && (x->verdict == COMPARE_CHANGED) != (y->verdict == COMPARE_CHANGED))
        return x->verdict == COMPARE_CHANGED ? -1 : 1;
    if (is_pair && x->verdict == COMPARE_CHANGED) {
        double i = x->change > 0 ? x->low : -x->high, j = y->change > 0 ? y->low : -y->high;
        return (i < j) - (i > j);
    }
    if (!is_pair && !x->after != !y->after)
        return x->after ? 1 : -1;
    return (p > q) - (p < q); /* of one array, as it is ranked */
}

/* Targets of either side, each once, whatever its points. */
struct targets {
    struct match_target *items;
    size_t count;
    size_t *of_result; /* which one a result is about */
    const struct analysis_result *results;
    size_t result_count;
};

static int compare_targets(const void *a, const void *b)
{
    const struct match_target *x = a, *y = b;
    int order = strcmp(x->kind, y->kind);
    return order ? order : strcmp(x->location, y->location);
}

static int targets_init(struct targets *targets, const struct compare_side *side)
{
    targets->result_count = analysis_results(side->analysis, &targets->results);
    targets->items = calloc(targets->result_count + 1, sizeof *targets->items);
    targets->of_result = calloc(targets->result_count + 1, sizeof *targets->of_result);
    if (!targets->items || !targets->of_result)
        return -ENOMEM;
    for (size_t i = 0; i < targets->result_count; i++) {
        const struct analysis_result *result = &targets->results[i];
        targets->items[i] = (struct match_target){.kind = result->kind, .location = result->location};
    }
    if (targets->result_count > 0)
        qsort(targets->items, targets->result_count, sizeof *targets->items, compare_targets);
    for (size_t i = 0; i < targets->result_count; i++)
        if (i == 0 || compare_targets(&targets->items[targets->count - 1], &targets->items[i]) != 0)
            targets->items[targets->count++] = targets->items[i];
    for (size_t i = 0; i < targets->result_count; i++) {
        const struct analysis_result *result = &targets->results[i];
        struct match_target key = {.kind = result->kind, .location = result->location};
        struct match_target *found =
            bsearch(&key, targets->items, targets->count, sizeof key, compare_targets);
        targets->of_result[i] = (size_t)(found - targets->items);
        found->function = analysis_function_of(side->analysis, result);
        found->text = side_text(side, result->location);
    }
    return 0;
}

static void targets_release(struct targets *targets)
{
    free(targets->items);
    free(targets->of_result);
}

static bool is_of_point(const struct analysis_result *result, const struct compare_rate *point)
{
    return result->metric == point->metric && strcmp(result->point, point->point) == 0;
}

/* Where the results of a point are: they stand together. */
static size_t find_results(const struct targets *targets, const struct compare_rate *point, size_t *first)
{
    size_t end;
    for (*first = 0; *first < targets->result_count; ++*first)
        if (is_of_point(&targets->results[*first], point))
            break;
    for (end = *first; end < targets->result_count && is_of_point(&targets->results[end], point);)
        end++;
    return end - *first;
}

static void add_target(struct comparison *comparison, const struct analysis_result *before,
                       const struct analysis_result *after, enum match_by by)
{
    struct compare_target *target = &comparison->targets[comparison->target_count++];
    *target = (struct compare_target){.before = before, .after = after, .by = by};
    compare_pair(target);
}

/* `by_target` has room for a result of each of the old targets. */
static void compare_point(struct comparison *comparison, const struct targets *olds,
                          const struct targets *news, const struct compare_rate *point,
                          const struct analysis_result **by_target)
{
    size_t old_first, new_first, old_count = find_results(olds, point, &old_first);
    size_t new_count = find_results(news, point, &new_first);
    memset(by_target, 0, (olds->count + 1) * sizeof *by_target);
    for (size_t i = old_first; i < old_first + old_count; i++)
        by_target[olds->of_result[i]] = &olds->results[i];
    for (size_t i = new_first; i < new_first + new_count; i++) {
        const struct match_target *target = &news->items[news->of_result[i]];
        const struct analysis_result **old = target->by == MATCH_NONE ? NULL : &by_target[target->other],
                                     *before = old ? *old : NULL;
        add_target(comparison, before, &news->results[i], before ? target->by : MATCH_NONE);
        if (old)
            *old = NULL;
    }
    for (size_t i = old_first; i < old_first + old_count; i++)
        if (by_target[olds->of_result[i]])
            add_target(comparison, &olds->results[i], NULL, MATCH_NONE);
}

static int judge_targets(struct comparison *comparison)
{
    double *chances = malloc((comparison->target_count + 1) * sizeof *chances);
    if (!chances)
        return -ENOMEM;
    for (size_t i = 0; i < comparison->target_count; i++)
        chances[i] = comparison->targets[i].chance;
    int code = adjust_for_many(chances, comparison->target_count);
    for (size_t i = 0; i < comparison->target_count && code == 0; i++) {
        struct compare_target *target = &comparison->targets[i];
        target->chance = chances[i];
        target->verdict = compare_judge(target->chance, target->low, target->high);
    }
    free(chances);
    return code;
}

/* Each point's apart. */
static void sort_targets(struct comparison *comparison)
{
    const struct compare_target *targets = comparison->targets;
    for (size_t first = 0, end; first < comparison->target_count; first = end) {
        const struct analysis_result *result =
            targets[first].after ? targets[first].after : targets[first].before;
        for (end = first; end < comparison->target_count; end++) {
            const struct analysis_result *next =
                targets[end].after ? targets[end].after : targets[end].before;
            if (next->metric != result->metric || strcmp(next->point, result->point) != 0)
                break;
        }
        qsort(comparison->targets + first, end - first, sizeof *targets, compare_rows);
    }
}

int compare_impacts(struct comparison *comparison, const struct compare_side *before,
                    const struct compare_side *after)
{
    struct targets olds = {0}, news = {0};
    int code = targets_init(&olds, before);
    if (code == 0)
        code = targets_init(&news, after);
    if (code == 0)
        code = match_targets(olds.items, olds.count, news.items, news.count);
    const struct analysis_result **by_target = calloc(olds.count + 1, sizeof *by_target);
    comparison->targets = calloc(olds.result_count + news.result_count + 1, sizeof *comparison->targets);
    if (!by_target || !comparison->targets)
        code = -ENOMEM;
    for (size_t p = 0; p < comparison->rate_count && code == 0; p++)
        compare_point(comparison, &olds, &news, &comparison->rates[p], by_target);
    if (code == 0)
        code = judge_targets(comparison);
    if (code == 0)
        sort_targets(comparison);
    free(by_target);
    targets_release(&olds);
    targets_release(&news);
    return code;
}
