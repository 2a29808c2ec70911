#include "report/page/pack.h"

#include <stdbool.h>
#include <string.h>

/* speedup, effect, low, high, windows; and again. */
static json_t *pack_curve(const json_t *curve)
{
    static const char *const members[] = {"speedup", "effect", "low", "high", "windows"};
    json_t *row = json_array(), *point;
    size_t i;
    json_array_foreach(curve, i, point) for (size_t m = 0; m < sizeof members / sizeof members[0]; m++)
        json_array_append(row, json_object_get(point, members[m]));
    return row;
}

static bool all_equal(const json_t *values)
{
    for (size_t i = 1; i < json_array_size(values); i++)
        if (!json_equal(json_array_get(values, i), json_array_get(values, 0)))
            return false;
    return true;
}

json_t *pack_results(const json_t *results)
{
    json_t *same = json_object(), *each = json_object(), *value;
    const char *member;
    json_object_foreach(json_array_get(results, 0), member, value)
    {
        json_t *values = json_array(), *result;
        size_t i;
        bool is_curve = strcmp(member, "curve") == 0;
        json_array_foreach(results, i, result)
        {
            json_t *one = json_object_get(result, member);
            json_array_append_new(values, is_curve ? pack_curve(one) : json_incref(one));
        }
        if (all_equal(values))
            json_object_set(same, member, json_array_get(values, 0));
        else
            json_object_set(each, member, values);
        json_decref(values);
    }
    return json_pack("{s:I, s:o, s:o}", "count", (json_int_t)json_array_size(results), "same", same, "each",
                     each);
}
