#include "report/page/pack.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static bool all_equal(const json_t *values)
{
    for (size_t i = 1; i < json_array_size(values); i++)
        if (!json_equal(json_array_get(values, i), json_array_get(values, 0)))
            return false;
    return true;
}

/* Texts, of which most come again: each once, and which one it is. NULL: they are not such. */
static json_t *pack_texts(const json_t *values)
{
    json_t *texts = json_array(), *places = json_object(), *at = json_array(), *value;
    size_t i, count = json_array_size(values);
    json_array_foreach(values, i, value)
    {
        const char *text = json_string_value(value);
        if (!text || 2 * json_array_size(texts) > count)
            break;
        if (!json_object_get(places, text)) {
            json_object_set_new(places, text, json_integer((json_int_t)json_array_size(texts)));
            json_array_append(texts, value);
        }
        json_array_append(at, json_object_get(places, text));
    }
    json_decref(places);
    bool is_done = i == count;
    json_t *packed = is_done ? json_pack("{s:O, s:O}", "texts", texts, "at", at) : NULL;
    json_decref(texts);
    json_decref(at);
    return packed;
}

static void put_column(json_t *same, json_t *each, const char *member, json_t *values)
{
    json_t *texts = NULL;
    if (all_equal(values))
        json_object_set(same, member, json_array_get(values, 0));
    else if ((texts = pack_texts(values)))
        json_object_set_new(each, member, texts);
    else
        json_object_set(each, member, values);
}

/* A member of all points of a curve, in a row. */
static json_t *row_of_curve(const json_t *curve, const char *member)
{
    json_t *row = json_array(), *point;
    size_t i;
    json_array_foreach(curve, i, point) json_array_append(row, json_object_get(point, member));
    return row;
}

/* Most curves have the same speedups, and many as many windows. */
static void put_curves(json_t *same, json_t *each, const json_t *results)
{
    static const char *const members[] = {"speedup", "effect", "low", "high", "windows"};
    for (size_t m = 0; m < sizeof members / sizeof members[0]; m++) {
        json_t *values = json_array(), *result;
        size_t i;
        char name[32];
        json_array_foreach(results, i, result)
            json_array_append_new(values, row_of_curve(json_object_get(result, "curve"), members[m]));
        snprintf(name, sizeof name, "curve_%s", members[m]);
        put_column(same, each, name, values);
        json_decref(values);
    }
}

json_t *pack_results(const json_t *results)
{
    json_t *same = json_object(), *each = json_object(), *value;
    const char *member;
    json_object_foreach(json_array_get(results, 0), member, value)
    {
        json_t *values = json_array(), *result;
        size_t i;
        if (strcmp(member, "curve") == 0) {
            put_curves(same, each, results);
        } else {
            json_array_foreach(results, i, result) json_array_append(values, json_object_get(result, member));
            put_column(same, each, member, values);
        }
        json_decref(values);
    }
    return json_pack("{s:I, s:o, s:o}", "count", (json_int_t)json_array_size(results), "same", same, "each",
                     each);
}
