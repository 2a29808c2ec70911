#include "advice/points/sources.h"

#include "base/array.h"
#include "base/source_file.h"

#include <errno.h>
#include <fnmatch.h>
#include <fts.h>
#include <stdlib.h>
#include <string.h>

static bool has_ending(const char *path, const char *const *endings)
{
    const char *dot = strrchr(path, '.');
    for (; dot && *endings; endings++)
        if (strcmp(dot + 1, *endings) == 0)
            return true;
    return false;
}

bool path_is_cxx(const char *path)
{
    static const char *const endings[] = {"cc", "cpp", "cxx", "C", "hh", "hpp", "hxx", NULL};
    return has_ending(path, endings);
}

static bool is_source(const char *path)
{
    static const char *const endings[] = {"c", "h", NULL};
    return has_ending(path, endings) || path_is_cxx(path);
}

static bool matches(const char *path, char *const *globs, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (fnmatch(globs[i], path, 0) == 0)
            return true;
    return false;
}

static int add_source(struct point_sources *sources, const char *path, struct coz_error *err)
{
    struct stat status;
    if (point_sources_find(sources, path))
        return 0;
    if (sources->count == POINT_SOURCES_MOST)
        return error_set(err, E2BIG,
                         "There are more than %d sources: name fewer, or leave some out with --exclude.",
                         POINT_SOURCES_MOST);
    if (sources->count == sources->capacity) {
        void *more = array_grown(sources->items, &sources->capacity, sizeof *sources->items);
        if (!more)
            return error_set(err, ENOMEM, "out of memory");
        sources->items = more;
    }
    struct point_source *source = &sources->items[sources->count];
    *source = (struct point_source){.path = strdup(path), .text = source_read(path, &status)};
    sources->count++;
    if (!source->text)
        return error_set(err, ENOENT, "%s cannot be read, is no text, or is larger than 4 MiB.", path);
    source->lines = source_lines(source->text, &source->line_count);
    if (!source->path || !source->lines)
        return error_set(err, ENOMEM, "out of memory");
    sources->bytes += strlen(source->text);
    return 0;
}

/* What stands in hidden folders is nobody's source. */
static int take_entry(struct point_sources *sources, FTS *walk, FTSENT *entry,
                      const struct source_choice *choice, struct coz_error *err)
{
    if (entry->fts_info == FTS_D && entry->fts_level > 0 && entry->fts_name[0] == '.')
        fts_set(walk, entry, FTS_SKIP);
    if (entry->fts_info == FTS_NS || entry->fts_info == FTS_DNR || entry->fts_info == FTS_ERR)
        return error_set(err, entry->fts_errno, "%s: %s", entry->fts_path, strerror(entry->fts_errno));
    if (entry->fts_info != FTS_F)
        return 0;
    if (!is_source(entry->fts_path)) {
        if (entry->fts_level > 0)
            return 0;
        return error_set(err, EINVAL, "%s is not called like a source of C or C++.", entry->fts_path);
    }
    if ((choice->include_count > 0 && !matches(entry->fts_path, choice->includes, choice->include_count)) ||
        matches(entry->fts_path, choice->excludes, choice->exclude_count))
        return 0;
    return add_source(sources, entry->fts_path, err);
}

static int compare_sources(const void *a, const void *b)
{
    const struct point_source *x = a, *y = b;
    return strcmp(x->path, y->path);
}

int point_sources_read(struct point_sources *sources, const struct source_choice *choice,
                       struct coz_error *err)
{
    int code = 0;
    *sources = (struct point_sources){0};
    for (size_t i = 0; i < choice->path_count && code == 0; i++) {
        char *roots[] = {choice->paths[i], NULL};
        FTS *walk = fts_open(roots, FTS_COMFOLLOW | FTS_PHYSICAL | FTS_NOCHDIR, NULL);
        if (!walk)
            return error_set(err, ENOMEM, "out of memory");
        for (FTSENT *entry; code == 0 && (entry = fts_read(walk));)
            code = take_entry(sources, walk, entry, choice, err);
        fts_close(walk);
    }
    if (code == 0 && sources->count == 0)
        code = error_set(err, ENOENT, "There is no source of C or C++ there that is not left out.");
    if (code == 0)
        qsort(sources->items, sources->count, sizeof *sources->items, compare_sources);
    return code;
}

void point_sources_release(struct point_sources *sources)
{
    for (size_t i = 0; i < sources->count; i++) {
        free(sources->items[i].path);
        free(sources->items[i].text);
        free(sources->items[i].lines);
    }
    free(sources->items);
}

struct point_source *point_sources_find(const struct point_sources *sources, const char *path)
{
    for (size_t i = 0; i < sources->count; i++)
        if (sources->items[i].path && strcmp(sources->items[i].path, path) == 0)
            return &sources->items[i];
    return NULL;
}

const char *point_source_line(const struct point_source *source, size_t line, size_t *length)
{
    const char *start = source->lines[line - 1], *end = source->lines[line];
    while (end > start && (end[-1] == '\n' || end[-1] == '\r'))
        end--;
    *length = (size_t)(end - start);
    return start;
}
