#include "stats/compare/matching.h"

#include "stats/compare/alignment.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool is_of_lines(const char *kind)
{
    return strcmp(kind, "line") == 0 || strcmp(kind, "callsite") == 0;
}

/* "path:line", of a call site the first one. */
static void find_place(struct align_target *place)
{
    const char *location = place->target->location, *end = strstr(location, " <- ");
    size_t length = end ? (size_t)(end - location) : strlen(location);
    const char *colon = memrchr(location, ':', length);
    const char *path_end = colon ? colon : location + length;
    const char *slash = memrchr(location, '/', (size_t)(path_end - location));
    place->file = slash ? slash + 1 : location;
    place->file_length = (size_t)(path_end - place->file);
    place->line = colon ? strtol(colon + 1, NULL, 10) : 0;
}

/* A group is what lines are looked for in. */
static int compare_groups(const struct align_target *a, const struct align_target *b)
{
    const char *x = a->target->function ? a->target->function : "";
    const char *y = b->target->function ? b->target->function : "";
    size_t common = a->file_length < b->file_length ? a->file_length : b->file_length;
    int order = strcmp(a->target->kind, b->target->kind);
    if (order == 0)
        order = strcmp(x, y);
    if (order == 0)
        order = memcmp(a->file, b->file, common);
    return order ? order : (a->file_length > b->file_length) - (a->file_length < b->file_length);
}

static int compare_places(const void *a, const void *b)
{
    const struct align_target *x = a, *y = b;
    int order = compare_groups(x, y);
    if (order == 0)
        order = (x->line > y->line) - (x->line < y->line);
    return order ? order : strcmp(x->target->location, y->target->location);
}

static int compare_names(const void *a, const void *b)
{
    const struct match_target *const *x = a, *const *y = b;
    int order = strcmp((*x)->kind, (*y)->kind);
    return order ? order : strcmp((*x)->location, (*y)->location);
}

/* The lines among them, by group and line. NULL when memory is out. */
static struct align_target *sort_places(struct match_target *targets, size_t count, size_t *places)
{
    struct align_target *sorted = malloc((count + 1) * sizeof *sorted);
    *places = 0;
    for (size_t i = 0; sorted && i < count; i++) {
        targets[i].by = MATCH_NONE;
        if (!is_of_lines(targets[i].kind))
            continue;
        sorted[*places] = (struct align_target){.target = &targets[i], .index = i};
        find_place(&sorted[(*places)++]);
    }
    if (sorted && *places > 0)
        qsort(sorted, *places, sizeof *sorted, compare_places);
    return sorted;
}

static size_t group_length(const struct align_target *targets, size_t count)
{
    size_t n = 1;
    while (n < count && compare_groups(&targets[0], &targets[n]) == 0)
        n++;
    return n;
}

static int match_groups(struct align_target *before, size_t before_count, struct align_target *after,
                        size_t after_count)
{
    size_t i = 0, j = 0;
    while (i < before_count && j < after_count) {
        int order = compare_groups(&before[i], &after[j]);
        size_t n = order <= 0 ? group_length(before + i, before_count - i) : 0;
        size_t m = order >= 0 ? group_length(after + j, after_count - j) : 0;
        if (order == 0 && align(before + i, n, after + j, m) < 0)
            return -ENOMEM;
        i += n;
        j += m;
    }
    return 0;
}

/* What is left, by its whole name: functions, and lines of which no function is known on one side. */
static int match_names(struct match_target *before, size_t before_count, struct match_target *after,
                       size_t after_count)
{
    struct match_target **sorted = malloc((after_count + 1) * sizeof *sorted);
    if (!sorted)
        return -ENOMEM;
    for (size_t j = 0; j < after_count; j++)
        sorted[j] = &after[j];
    if (after_count > 0)
        qsort(sorted, after_count, sizeof *sorted, compare_names);
    for (size_t i = 0; i < before_count && after_count > 0; i++) {
        struct match_target *key = &before[i];
        struct match_target **found = bsearch(&key, sorted, after_count, sizeof *sorted, compare_names),
                            *same = found ? *found : NULL;
        if (key->by != MATCH_NONE || !same || same->by != MATCH_NONE)
            continue;
        bool lines = is_of_lines(key->kind);
        if (lines && ((key->text && same->text && strcmp(key->text, same->text) != 0) ||
                      (key->function && same->function && strcmp(key->function, same->function) != 0)))
            continue;
        key->by = same->by = !lines ? MATCH_NAME : key->text && same->text ? MATCH_TEXT : MATCH_NUMBER;
        key->other = (size_t)(same - after);
        same->other = i;
    }
    free(sorted);
    return 0;
}

int match_targets(struct match_target *before, size_t before_count, struct match_target *after,
                  size_t after_count)
{
    size_t n, m;
    struct align_target *olds = sort_places(before, before_count, &n);
    struct align_target *news = sort_places(after, after_count, &m);
    for (size_t j = 0; j < after_count; j++)
        after[j].by = MATCH_NONE;
    int code = olds && news ? match_groups(olds, n, news, m) : -ENOMEM;
    if (code == 0)
        code = match_names(before, before_count, after, after_count);
    free(olds);
    free(news);
    return code;
}
