#include "advice/points/answer.h"

#include "advice/points/places.h"
#include "report/cells.h"

#include <ctype.h>
#include <errno.h>
#include <jansson.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS_MOST = 6, WHY_MOST = 200, WORDS = 400 };

__attribute__((format(printf, 2, 3))) static void remark(const struct points_remarks *remarks,
                                                         const char *format, ...)
{
    char words[WORDS];
    va_list args;
    va_start(args, format);
    vsnprintf(words, sizeof words, format, args);
    va_end(args);
    char *clean = clean_text(words, true);
    remarks->say(remarks->context, clean ? clean : "?");
    free(clean);
}

/* ---- where ---- */

/* Whether both are the same but for blanks. */
static bool is_same_text(const char *a, const char *a_end, const char *b)
{
    for (;;) {
        while (a < a_end && isspace((unsigned char)*a))
            a++;
        while (isspace((unsigned char)*b))
            b++;
        if (a == a_end || !*b)
            return a == a_end && !*b;
        if (*a++ != *b++)
            return false;
    }
}

static bool has_text(const struct point_source *source, size_t line, const char *text)
{
    size_t length;
    const char *start = point_source_line(source, line, &length);
    return is_same_text(start, start + length, text);
}

/* The line with that text: the one that is said, or else the only one; 0: none. */
static size_t find_line(const struct point_source *source, size_t said, const char *text)
{
    size_t found = 0;
    if (said >= 1 && said <= source->line_count && has_text(source, said, text))
        return said;
    for (size_t line = 1; line <= source->line_count; line++) {
        if (!has_text(source, line, text))
            continue;
        if (found)
            return 0;
        found = line;
    }
    return found;
}

/* The line before which a statement is to stand; 0: none may. "After" a line means after the statement that it is a part
 * of, which may end a few lines on. */
static size_t find_place(const struct point_source *source, size_t line, bool is_after)
{
    enum place *places = places_find(source);
    size_t place = line + is_after, last = place + (is_after ? STEPS_MOST : 0);
    while (places && place < last && place <= source->line_count && places[place - 1] == PLACE_INSIDE)
        place++;
    bool found = places && places[place - 1] == PLACE_FREE;
    free(places);
    return found ? place : 0;
}

/* ---- one proposal ---- */

static const char *text_of(const json_t *point, const char *member)
{
    const char *text = json_string_value(json_object_get(point, member));
    return text ? text : "";
}

static bool read_name(struct insertion *one, const char *name)
{
    size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 _.:/-");
    if (length == 0 || name[length] || length >= POINT_NAME)
        return false;
    memcpy(one->name, name, length + 1);
    return true;
}

static bool read_kind(struct insertion *one, const char *kind, const struct points_request *request)
{
    bool is_latency = request->kind == POINTS_LATENCY;
    if (!is_latency && strcmp(kind, "progress") == 0)
        one->kind = POINT_PROGRESS;
    else if (is_latency && strcmp(kind, "begin") == 0)
        one->kind = POINT_BEGIN;
    else if (is_latency && strcmp(kind, "end") == 0)
        one->kind = POINT_END;
    else
        return false;
    return true;
}

/* Whether it can be used; else says why not. */
static bool read_point(struct insertion *one, const json_t *point, const struct point_sources *sources,
                       const struct points_request *request, const struct points_remarks *remarks)
{
    const char *path = text_of(point, "file"), *text = text_of(point, "text"), *name = text_of(point, "name");
    json_int_t said = json_integer_value(json_object_get(point, "line"));
    *one = (struct insertion){.source = point_sources_find(sources, path)};
    if (!one->source) {
        remark(remarks, "Dropped a point in `%.200s`, which is none of the files.", path);
        return false;
    }
    if (!read_kind(one, text_of(point, "kind"), request) || !read_name(one, name)) {
        remark(remarks, "Dropped the point `%.60s` in %.200s: its kind or its name cannot be used.", name,
               path);
        return false;
    }
    size_t line = find_line(one->source, said > 0 ? (size_t)said : 0, text);
    if (line == 0) {
        remark(remarks, "Dropped the point `%s` at %.200s:%lld: there is no such line, or several.", name,
               path, (long long)said);
        return false;
    }
    one->before = find_place(one->source, line, strcmp(text_of(point, "where"), "after") == 0);
    if (one->before == 0) {
        remark(remarks, "Dropped the point `%s` at %.200s:%zu: no statement may stand there.", name, path,
               line);
        return false;
    }
    const char *why = text_of(point, "why");
    char *cut = strndup(why, WHY_MOST);
    one->why = cut && *cut ? clean_text(cut, true) : NULL;
    free(cut);
    return true;
}

/* How many points there are, pairs counted once, and whether that one's name is among them. */
static size_t count_points(const struct insertions *all, const struct insertion *one, bool *is_known)
{
    size_t count = 0;
    *is_known = false;
    for (size_t i = 0; i < all->count; i++) {
        bool is_first = true;
        for (size_t j = 0; j < i && all->items[i].kind != POINT_PROGRESS; j++)
            is_first &= strcmp(all->items[j].name, all->items[i].name) != 0;
        count += is_first;
        *is_known |= one->kind != POINT_PROGRESS && strcmp(all->items[i].name, one->name) == 0;
    }
    return count;
}

static int take_points(struct insertions *all, const json_t *points, const struct point_sources *sources,
                       const struct points_request *request, const struct points_remarks *remarks)
{
    size_t i;
    const json_t *point;
    json_array_foreach((json_t *)points, i, point)
    {
        struct insertion one;
        bool is_known;
        if (!read_point(&one, point, sources, request, remarks))
            continue;
        if (count_points(all, &one, &is_known) >= request->most && !is_known) {
            remark(remarks, "Dropped the point `%s`: %zu are enough.", one.name, request->most);
            free(one.why);
            continue;
        }
        int code = insertions_add(all, &one);
        if (code < 0) {
            free(one.why);
            return code;
        }
    }
    return 0;
}

/* ---- all of them ---- */

static int add_headers(struct insertions *all, const struct point_sources *sources)
{
    for (size_t i = 0; i < sources->count; i++) {
        const struct point_source *source = &sources->items[i];
        const struct insertion header = {
            .source = source, .before = places_include(source), .kind = POINT_INCLUDE};
        int code = header.before && insertions_count(all, source) ? insertions_add(all, &header) : 0;
        if (code < 0)
            return code;
    }
    return 0;
}

static bool has_other_half(const struct insertions *all, const struct insertion *one)
{
    enum point_kind other = one->kind == POINT_BEGIN ? POINT_END : POINT_BEGIN;
    for (size_t i = 0; i < all->count; i++)
        if (all->items[i].kind == other && !all->items[i].is_dropped &&
            strcmp(all->items[i].name, one->name) == 0)
            return true;
    return false;
}

void points_drop_halves(struct insertions *all, const struct points_remarks *remarks)
{
    for (size_t i = 0; i < all->count; i++) {
        struct insertion *one = &all->items[i];
        if ((one->kind != POINT_BEGIN && one->kind != POINT_END) || one->is_dropped ||
            has_other_half(all, one))
            continue;
        one->is_dropped = true;
        remark(remarks, "Dropped half of the pair `%s` in %.200s: the other half is missing.", one->name,
               one->source->path);
    }
    for (size_t i = 0; i < all->count; i++) {
        struct insertion *one = &all->items[i];
        if (one->kind == POINT_INCLUDE && insertions_count(all, one->source) == 0)
            one->is_dropped = true;
    }
}

int points_answer_read(struct insertions *all, const char *answer, const struct point_sources *sources,
                       const struct points_request *request, const struct points_remarks *remarks,
                       struct coz_error *err)
{
    *all = (struct insertions){0};
    /* Some put a fence around it, or a sentence before it. */
    const char *begin = strchr(answer, '{');
    json_t *root = begin ? json_loads(begin, JSON_DISABLE_EOF_CHECK, NULL) : NULL;
    const json_t *points = json_object_get(root, "points");
    int code = 0;
    if (!json_is_array(points))
        code =
            error_set(err, EBADMSG,
                      "The answer is not in the form that was asked for, so that nothing can be made of it.");
    if (code == 0)
        code = take_points(all, points, sources, request, remarks);
    json_decref(root);
    if (code == 0)
        code = add_headers(all, sources);
    if (code == -ENOMEM)
        error_set(err, ENOMEM, "out of memory");
    if (code == 0)
        points_drop_halves(all, remarks);
    insertions_sort(all);
    return code;
}
