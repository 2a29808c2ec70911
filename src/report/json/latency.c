#include "report/json/latency.h"

#include "report/json/values.h"

enum { SPEEDUPS = 64 };

static json_t *quantiles_json(const struct latency_at *at)
{
    json_t *array = json_array();
    for (int q = 0; q < LATENCY_QUANTILES; q++) {
        const struct latency_value *ns = &at->ns[q], *effect = &at->effects[q];
        json_array_append_new(
            array, json_pack("{s:f, s:o, s:o, s:o, s:o, s:o, s:o}", "quantile", latency_quantiles[q], "time",
                             make_number(ns->value), "time_low", make_number(ns->low), "time_high",
                             make_number(ns->high), "effect", make_number(effect->value), "low",
                             make_number(effect->low), "high", make_number(effect->high)));
    }
    return array;
}

json_t *latency_target_json(const struct latencies *latencies, const char *kind, const char *location,
                            const char *point)
{
    struct latency_at all[SPEEDUPS];
    size_t count = latencies_of(latencies, kind, location, point, all, SPEEDUPS);
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(array,
                              json_pack("{s:f, s:I, s:o}", "speedup", all[i].speedup, "units",
                                        (json_int_t)all[i].units, "quantiles", quantiles_json(&all[i])));
    return array;
}

json_t *latency_point_json(const struct latencies *latencies, const char *point)
{
    static const char *const flows[] = {"steady", "grows", "unmatched"};
    struct latency_point found;
    if (!latencies_point(latencies, point, &found))
        return NULL;
    json_t *object = json_pack(
        "{s:o, s:o, s:o, s:o, s:s, s:I, s:I, s:I}", "arrivals", make_number(found.arrivals_s), "departures",
        make_number(found.departures_s), "mean", make_number(found.mean_ns), "in_progress",
        make_number(found.in_progress), "flow", flows[found.flow], "units", (json_int_t)found.at.units,
        "unmatched", (json_int_t)found.unmatched, "refused", (json_int_t)found.refused);
    json_object_set_new(object, "quantiles", found.at.units ? quantiles_json(&found.at) : json_array());
    return object;
}
