#include "report/page/sources.h"

#include "base/array.h"
#include "base/clock.h"
#include "base/source_file.h"
#include "report/cells.h"
#include "stats/answers/details.h"
#include "stats/answers/source_change.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* What a page holds of sources: around so many targets, the best first, so many lines to either side; no line
 * longer than that. */
enum { TARGETS_MOST = 200, LINES_AROUND = 25, LINE_BYTES_MOST = 400 };

struct wanted {
    const char *path; /* borrowed from the tree, of path_length bytes */
    size_t path_length;
    long line;
};

struct wanted_lines {
    struct wanted *items;
    size_t count, capacity;
};

static int want(struct wanted_lines *wanted, const char *place, size_t length)
{
    const char *colon = memrchr(place, ':', length);
    if (!colon || !source_is_named(place, (size_t)(colon - place)))
        return 0;
    long line = strtol(colon + 1, NULL, 10);
    if (line <= 0 || line > INT32_MAX)
        return 0;
    if (wanted->count == wanted->capacity) {
        struct wanted *more = array_grown(wanted->items, &wanted->capacity, sizeof *more);
        if (!more)
            return -1;
        wanted->items = more;
    }
    wanted->items[wanted->count++] = (struct wanted){place, (size_t)(colon - place), line};
    return 0;
}

static int want_of_results(struct wanted_lines *wanted, const json_t *results)
{
    size_t i;
    json_t *result;
    json_array_foreach(results, i, result)
    {
        const char *kind = json_string_value(json_object_get(result, "kind"));
        const char *location = json_string_value(json_object_get(result, "location"));
        if (wanted->count >= TARGETS_MOST)
            break;
        if (!kind || !location || !kind_is_of_lines(kind))
            continue;
        const char *caller = strcmp(kind, "callsite") == 0 ? strstr(location, " <- ") : NULL;
        if (want(wanted, location, caller ? (size_t)(caller - location) : strlen(location)) < 0 ||
            (caller && want(wanted, caller + 4, strlen(caller + 4)) < 0))
            return -1;
    }
    return 0;
}

static int compare_paths(const struct wanted *a, const struct wanted *b)
{
    size_t common = a->path_length < b->path_length ? a->path_length : b->path_length;
    int order = memcmp(a->path, b->path, common);
    return order ? order : (a->path_length > b->path_length) - (a->path_length < b->path_length);
}

static int compare_wanted(const void *a, const void *b)
{
    const struct wanted *x = a, *y = b;
    int order = compare_paths(x, y);
    return order ? order : (x->line > y->line) - (x->line < y->line);
}

static json_t *line_json(const char *line, size_t length)
{
    if (length > 0 && line[length - 1] == '\r')
        length--;
    char *copy = strndup(line, length < LINE_BYTES_MOST ? length : LINE_BYTES_MOST);
    char *clean = copy ? clean_text(copy, false) : NULL;
    json_t *value = clean ? json_string(clean) : NULL;
    free(clean);
    free(copy);
    return value;
}

/* Adds what part of the samples fell on the line, unless none did. */
static void add_share(json_t *shares, const struct analysis *analysis, const struct wanted *file, long line)
{
    char *location;
    if (asprintf(&location, "%.*s:%ld", (int)file->path_length, file->path, line) < 0)
        return;
    double share = analysis_share_at(analysis, location);
    if (!isnan(share))
        json_array_append_new(shares, json_pack("[I, f]", (json_int_t)line, share));
    free(location);
}

/* The parts of the text around those lines, all of one file and sorted. */
static void add_parts(json_t *source, const struct analysis *analysis, const struct wanted *wanted,
                      size_t count, const char *text)
{
    json_t *parts = json_array(), *shares = json_array(), *lines = NULL;
    size_t next = 0;
    long number = 1;
    for (const char *line = text; *line; number++) {
        size_t length = strcspn(line, "\n");
        while (next < count && wanted[next].line + LINES_AROUND < number)
            next++;
        bool is_near = next < count && wanted[next].line - LINES_AROUND <= number;
        if (is_near && !lines) {
            json_t *part = json_pack("{s:I, s:[]}", "from", (json_int_t)number, "lines");
            lines = json_object_get(part, "lines");
            json_array_append_new(parts, part);
        }
        if (is_near) {
            json_array_append_new(lines, line_json(line, length));
            add_share(shares, analysis, wanted, number);
        } else {
            lines = NULL;
        }
        line += length + (line[length] == '\n');
    }
    json_object_set_new(source, "parts", parts);
    json_object_set_new(source, "shares", shares);
}

/* Since when it is another file: "built" or "profiled"; "" if it is the same; null: unknown. */
static json_t *changed_json(const struct story *story, const char *path, const char *text)
{
    switch (source_change_by_hash(story, path, text)) {
    case SOURCE_SAME:
        return json_string("");
    case SOURCE_CHANGED_SINCE_BUILD:
        return json_string("built");
    case SOURCE_CHANGED_SINCE_RUN:
        return json_string("profiled");
    case SOURCE_NO_HASH:
        break;
    }
    return json_null();
}

static json_t *source_json(const struct analysis *analysis, const struct story *story,
                           const struct wanted *wanted, size_t count)
{
    struct stat status;
    char *path = strndup(wanted->path, wanted->path_length);
    char *text = path ? source_read(path, &status) : NULL;
    json_t *source = NULL;
    if (text) {
        json_int_t modified = (json_int_t)clock_time_ns(status.st_mtim);
        source = json_pack("{s:s, s:I, s:o}", "path", path, "modified", modified, "changed",
                           changed_json(story, path, text));
    }
    if (source)
        add_parts(source, analysis, wanted, count, text);
    free(text);
    free(path);
    return source;
}

json_t *read_sources(const struct analysis *analysis, const struct story *story, const json_t *tree)
{
    struct wanted_lines wanted = {0};
    json_t *sources = json_array();
    if (want_of_results(&wanted, json_object_get(tree, "results")) < 0) {
        json_decref(sources);
        sources = NULL;
    }
    if (wanted.count > 0)
        qsort(wanted.items, wanted.count, sizeof *wanted.items, compare_wanted);
    for (size_t i = 0, count; sources && i < wanted.count; i += count) {
        for (count = 1; i + count < wanted.count; count++)
            if (compare_paths(&wanted.items[i], &wanted.items[i + count]) != 0)
                break;
        json_t *source = source_json(analysis, story, &wanted.items[i], count);
        if (source)
            json_array_append_new(sources, source);
    }
    free(wanted.items);
    return sources;
}
