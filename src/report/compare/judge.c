/* Whether conditions are met. */
#include "report/compare/condition.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* What a condition may be about: rows of one kind, with the interval that counts. */
struct row {
    const char *location, *old_location; /* NULL: a rate, or unknown */
    const char *point;
    double value, low, high;
};

static bool wants_point(const struct condition *condition, const char *point)
{
    return !condition->point || strcmp(condition->point, point) == 0;
}

/* "worker.c:88" stands for "/src/worker.c:88", "parse" for "Reader::parse(char const*)". */
static bool is_called(const char *location, const char *name)
{
    size_t length = strlen(location), wanted = strlen(name);
    if (wanted > length || wanted == 0)
        return false;
    if (strcmp(location + length - wanted, name) == 0)
        return wanted == length || strchr("/:", location[length - wanted - 1]) != NULL;
    const char *arguments = strchr(location, '(');
    size_t bare = arguments ? (size_t)(arguments - location) : 0;
    if (bare < wanted || memcmp(location + bare - wanted, name, wanted) != 0)
        return false;
    return bare == wanted || location[bare - wanted - 1] == ':';
}

static enum condition_outcome compare_limit(const struct condition *condition, const struct row *row)
{
    if (isnan(row->low) || isnan(row->high))
        return CONDITION_UNKNOWN;
    double limit = condition->limit;
    if (condition->is_above ? row->low > limit : row->high < limit)
        return CONDITION_MET;
    return (condition->is_above ? row->high <= limit : row->low >= limit) ? CONDITION_NOT_MET
                                                                          : CONDITION_UNKNOWN;
}

/* Met counts most, then not known. */
static void take_row(struct condition *condition, const struct row *row, bool *any)
{
    static const int ranks[] = {[CONDITION_UNKNOWN] = 1, [CONDITION_MET] = 2, [CONDITION_NOT_MET] = 0};
    enum condition_outcome outcome = compare_limit(condition, row);
    if (*any && ranks[outcome] <= ranks[condition->outcome])
        return;
    *any = true;
    condition->outcome = outcome;
    condition->value = row->value;
    condition->low = row->low;
    condition->high = row->high;
    static const char *const verdicts[] = {"too little is known to tell", "it is met", "it is not met"};
    const char *name = row->location ? row->location : "the program";
    if (isnan(row->low) || isnan(row->high))
        snprintf(condition->why, sizeof condition->why, "Of %.80s (`%.40s`) too little is known to tell.",
                 name, row->point);
    else
        snprintf(condition->why, sizeof condition->why, "Of %.80s (`%.40s`) it is %.1f (%.1f to %.1f): %s.",
                 name, row->point, 100 * row->value, 100 * row->low, 100 * row->high, verdicts[outcome]);
}

static void begin(struct condition *condition)
{
    condition->outcome = CONDITION_UNKNOWN;
    condition->value = condition->low = condition->high = NAN;
    if (condition->target)
        snprintf(condition->why, sizeof condition->why, "Nothing that was tried is called %.80s%s%.40s.",
                 condition->target, condition->point ? ", with visits of " : "",
                 condition->point ? condition->point : "");
    else
        snprintf(condition->why, sizeof condition->why, "There is no %s%s%.40s to compare.",
                 condition->subject == CONDITION_LATENCY ? "latency" : "rate", condition->point ? " of " : "",
                 condition->point ? condition->point : "");
}

static int refuse_several(const struct condition *condition, const char *one, const char *other,
                          struct coz_error *err)
{
    return error_set(err, ENOTUNIQ,
                     "--fail-if '%.120s': %.60s stands for %.100s and for %.100s. Write more of the name.",
                     condition->text, condition->target, one, other);
}

static void judge_rates(struct condition *condition, const struct comparison *comparison)
{
    bool any = false;
    for (size_t i = 0; i < comparison->rate_count; i++) {
        const struct compare_rate *rate = &comparison->rates[i];
        bool latency = rate->metric == METRIC_LATENCY;
        if (latency == (condition->subject == CONDITION_LATENCY) && wants_point(condition, rate->point))
            take_row(condition, &(struct row){NULL, NULL, rate->point, rate->change, rate->low, rate->high},
                     &any);
    }
}

static struct row row_of(const struct condition *condition, const struct compare_target *target)
{
    const struct analysis_result *now = target->after, *any = now ? now : target->before;
    struct row row = {now ? now->location : NULL,
                      target->before ? target->before->location : NULL,
                      any->point,
                      NAN,
                      NAN,
                      NAN};
    if (condition->subject == CONDITION_CHANGE) {
        row.value = target->change;
        row.low = target->low;
        row.high = target->high;
    } else if (now) {
        row.value = now->impact;
        row.low = now->low;
        row.high = now->high;
    }
    return row;
}

/* By what it is called now; `by_old`: by what it was called before, which is for those that nothing else is
 * called now. */
static int judge_targets(struct condition *condition, const struct comparison *comparison, bool by_old,
                         bool *any, struct coz_error *err)
{
    const char *one = NULL;
    for (size_t i = 0; i < comparison->target_count; i++) {
        struct row row = row_of(condition, &comparison->targets[i]);
        const char *name = by_old ? row.old_location : row.location;
        if (!name || !is_called(name, condition->target) || !wants_point(condition, row.point))
            continue;
        if (one && strcmp(one, name) != 0)
            return refuse_several(condition, one, name, err);
        one = name;
        if (!row.location)
            row.location = row.old_location;
        take_row(condition, &row, any);
    }
    return 0;
}

int condition_judge(struct condition *condition, const struct comparison *comparison, struct coz_error *err)
{
    bool any = false;
    begin(condition);
    if (!condition->target) {
        judge_rates(condition, comparison);
        return 0;
    }
    int code = judge_targets(condition, comparison, false, &any, err);
    if (code == 0 && !any)
        code = judge_targets(condition, comparison, true, &any, err);
    return code;
}

int condition_judge_results(struct condition *condition, const struct analysis_result *results, size_t count,
                            struct coz_error *err)
{
    bool any = false;
    const char *one = NULL;
    begin(condition);
    if (condition->subject != CONDITION_IMPACT)
        return error_set(err, EINVAL, "--fail-if '%.120s': one profile tells no change; `coz compare` does.",
                         condition->text);
    for (size_t i = 0; i < count; i++) {
        const struct analysis_result *result = &results[i];
        if (!is_called(result->location, condition->target) || !wants_point(condition, result->point))
            continue;
        if (one && strcmp(one, result->location) != 0)
            return refuse_several(condition, one, result->location, err);
        one = result->location;
        take_row(condition,
                 &(struct row){one, NULL, result->point, result->impact, result->low, result->high}, &any);
    }
    return 0;
}
