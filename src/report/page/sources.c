#include "report/page/sources.h"

#include "base/array.h"
#include "report/cells.h"
#include "stats/answers/details.h"

#include <fcntl.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

/* What a page holds of sources: around so many targets, the best first, so many lines to either side; no line
 * longer and no file larger than that. */
enum { TARGETS_MOST = 200, LINES_AROUND = 25, LINE_BYTES_MOST = 400, FILE_BYTES_MOST = 4 << 20 };

struct wanted {
    const char *path; /* borrowed from the tree, of path_length bytes */
    size_t path_length;
    long line;
};

struct wanted_lines {
    struct wanted *items;
    size_t count, capacity;
};

static bool is_source_name(const char *path, size_t length)
{
    static const char *const endings[] = {"c",   "h",   "cc",   "cpp", "cxx",   "hh",  "hpp", "hxx", "inl",
                                          "ipp", "tcc", "inc",  "rs",  "go",    "f",   "f90", "f95", "f03",
                                          "f08", "for", "d",    "di",  "swift", "zig", "adb", "ads", "m",
                                          "mm",  "cu",  "cuh",  "s",   "asm",   "nim", "cr",  "hs",  "ml",
                                          "pas", "pp",  "java", "js",  "ts",    "py",  "jl",  "y",   "l"};
    const char *dot = memrchr(path, '.', length);
    if (!dot)
        return false;
    size_t left = length - (size_t)(dot + 1 - path);
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++)
        if (strlen(endings[i]) == left && strncasecmp(endings[i], dot + 1, left) == 0)
            return true;
    return false;
}

static int want(struct wanted_lines *wanted, const char *place, size_t length)
{
    const char *colon = memrchr(place, ':', length);
    if (!colon || !is_source_name(place, (size_t)(colon - place)))
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

/* The file's bytes, with a zero byte behind; NULL when it is no regular file, too large, no text, or cannot be
 * read. */
static char *read_text(const char *path, struct stat *status)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0)
        return NULL;
    char *text = NULL;
    size_t size = 0;
    if (fstat(fd, status) == 0 && S_ISREG(status->st_mode) && status->st_size <= FILE_BYTES_MOST)
        text = malloc((size_t)status->st_size + 1);
    while (text && size < (size_t)status->st_size) {
        ssize_t got = read(fd, text + size, (size_t)status->st_size - size);
        if (got <= 0)
            break;
        size += (size_t)got;
    }
    close(fd);
    if (text && memchr(text, 0, size)) {
        free(text);
        return NULL;
    }
    if (text)
        text[size] = '\0';
    return text;
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

static json_t *source_json(const struct analysis *analysis, const struct wanted *wanted, size_t count)
{
    struct stat status;
    char *path = strndup(wanted->path, wanted->path_length);
    char *text = path ? read_text(path, &status) : NULL;
    json_t *source = NULL;
    if (text) {
        json_int_t modified = (json_int_t)status.st_mtim.tv_sec * 1000000000 + status.st_mtim.tv_nsec;
        source = json_pack("{s:s, s:I}", "path", path, "modified", modified);
    }
    if (source)
        add_parts(source, analysis, wanted, count, text);
    free(text);
    free(path);
    return source;
}

json_t *read_sources(const struct analysis *analysis, const json_t *tree)
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
        json_t *source = source_json(analysis, &wanted.items[i], count);
        if (source)
            json_array_append_new(sources, source);
    }
    free(wanted.items);
    return sources;
}
