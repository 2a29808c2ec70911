#include "verify/promise.h"

#include "profile/reader.h"
#include "report/cells.h"
#include "report/target/find.h"

#include <errno.h>
#include <math.h>
#include <string.h>

static int on_record(void *context, const struct profile_record *record)
{
    struct promises *promises = context;
    int rc = builds_add(&promises->builds, "", record);
    return rc ? rc : analysis_add(promises->analysis, record);
}

static int choose_answer(struct promises *promises, const char *target, const char *point,
                         struct coz_error *err)
{
    const struct report_options options = {.point = point};
    const struct analysis_result *results;
    size_t count = analysis_results(promises->analysis, &results);
    if (target) {
        struct found_target found;
        int rc = find_target(&found, promises->analysis, &options, target, err);
        promises->result = rc == 0 ? found.answers[0] : NULL;
        return rc;
    }
    for (size_t i = 0; i < count && !promises->result; i++)
        if (results[i].verdict == VERDICT_IMPROVES && option_wants(&options, &results[i]))
            promises->result = &results[i];
    return 0;
}

int promises_read(struct promises *promises, const char *profile, const char *target, const char *point,
                  struct coz_error *err)
{
    *promises = (struct promises){.analysis = analysis_new()};
    if (!promises->analysis)
        return error_set(err, ENOMEM, "out of memory");
    const struct profile_visitor visitor = {.record = on_record, .context = promises};
    int rc = profile_read(profile, &visitor, err);
    if (rc == 0)
        rc = analysis_finish(promises->analysis);
    return rc ? rc : choose_answer(promises, target, point, err);
}

void promises_release(struct promises *promises)
{
    if (promises->analysis)
        analysis_free(promises->analysis);
    builds_release(&promises->builds);
}

bool promises_are_of_another(const struct promises *promises, const char *build_id)
{
    for (size_t i = 0; i < promises->builds.count; i++)
        if (strcmp(promises->builds.items[i].build_id, build_id) == 0)
            return false;
    return promises->builds.count > 0 && *build_id;
}

/* A slowdown was hardly ever tried: the slope of the curve stands for it. */
static struct effect_at effect_of_slowdown(const struct analysis_result *result, double speedup)
{
    return (struct effect_at){true, false, speedup * result->impact, speedup * result->high,
                              speedup * result->low};
}

static struct effect_at effect_at(const struct analysis_result *result, double speedup)
{
    if (speedup < 0)
        return effect_of_slowdown(result, speedup);
    double last = result->curve[result->curve_count - 1].speedup;
    return curve_at(result, fmin(speedup, last));
}

struct verified_effect promise_at(const struct analysis_result *result, const struct verified_effect *speedup)
{
    struct verified_effect promise = {NAN, NAN, NAN};
    if (result->curve_count == 0 || isnan(speedup->value) ||
        result->curve[result->curve_count - 1].speedup <= 0)
        return promise;
    const double speedups[] = {speedup->value, speedup->low, speedup->high};
    for (size_t i = 0; i < 3; i++) {
        struct effect_at at = effect_at(result, isfinite(speedups[i]) ? speedups[i] : speedup->value);
        if (!at.known)
            continue;
        promise.value = i == 0 ? at.effect : promise.value;
        promise.low = fmin(promise.low, at.low);
        promise.high = fmax(promise.high, at.high);
    }
    /* Between its ends the curve may be higher, or lower. */
    for (size_t i = 0; i < result->curve_count; i++) {
        const struct curve_point *point = &result->curve[i];
        if (point->speedup > speedup->low && point->speedup < speedup->high) {
            promise.low = fmin(promise.low, point->low);
            promise.high = fmax(promise.high, point->high);
        }
    }
    return promise;
}
