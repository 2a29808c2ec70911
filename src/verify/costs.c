#include "verify/costs.h"

#include "base/array.h"
#include "base/source_file.h"
#include "debuginfo/names/function_name.h"
#include "debuginfo/names/site.h"
#include "profile/reader.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static int add_cost(struct costs *costs, const char *kind, const char *location, const char *function,
                    double cpu_ns)
{
    for (size_t i = 0; i < costs->count; i++)
        if (strcmp(costs->items[i].location, location) == 0 && strcmp(costs->items[i].kind, kind) == 0) {
            costs->items[i].cpu_ns += cpu_ns;
            return 0;
        }
    if (costs->count == costs->capacity) {
        struct cost *more = array_grown(costs->items, &costs->capacity, sizeof *more);
        if (!more)
            return -ENOMEM;
        costs->items = more;
    }
    struct cost *cost = &costs->items[costs->count];
    *cost = (struct cost){strdup(kind), strdup(location), function ? strdup(function) : NULL, cpu_ns};
    costs->count += cost->kind && cost->location;
    return cost->kind && cost->location ? 0 : -ENOMEM;
}

static int on_record(void *context, const struct profile_record *record)
{
    if (record->type != PROFILE_SAMPLES)
        return 0;
    return add_cost(context, record->samples.kind ? record->samples.kind : "line", record->samples.location,
                    record->samples.function, (double)record->samples.cpu_ns);
}

int costs_read(struct costs *costs, const char *profile, struct coz_error *err)
{
    const struct profile_visitor visitor = {.record = on_record, .context = costs};
    return profile_read(profile, &visitor, err);
}

int costs_add_all(struct costs *costs, const struct costs *others)
{
    int rc = 0;
    for (size_t i = 0; i < others->count && rc == 0; i++)
        rc = add_cost(costs, others->items[i].kind, others->items[i].location, others->items[i].function,
                      others->items[i].cpu_ns);
    return rc;
}

void costs_release(struct costs *costs)
{
    for (size_t i = 0; i < costs->count; i++) {
        free(costs->items[i].kind);
        free(costs->items[i].location);
        free(costs->items[i].function);
    }
    free(costs->items);
    *costs = (struct costs){0};
}

/* The path's length, and the line; 0: it is no line. */
static size_t split_line(const char *location, uint32_t *line)
{
    const char *colon = strrchr(location, ':');
    char *end;
    unsigned long number = colon && colon[1] >= '0' && colon[1] <= '9' ? strtoul(colon + 1, &end, 10) : 0;
    *line = (uint32_t)number;
    return number > 0 && number <= UINT32_MAX && !*end ? (size_t)(colon - location) : 0;
}

static bool is_meant(const struct cost *cost, const char *wanted)
{
    uint32_t line;
    size_t length = split_line(cost->location, &line);
    if (strcmp(cost->location, wanted) == 0)
        return true;
    if (strcmp(cost->kind, "function") == 0)
        return function_name_match(cost->location, wanted) > 0;
    char *path = length > 0 ? strndup(cost->location, length) : NULL;
    bool meant = path && site_line_matches(path, line, wanted);
    free(path);
    return meant;
}

const struct cost *costs_find(const struct costs *costs, const char *wanted)
{
    const struct cost *best = NULL;
    for (size_t i = 0; i < costs->count; i++)
        if (is_meant(&costs->items[i], wanted) && (!best || costs->items[i].cpu_ns > best->cpu_ns))
            best = &costs->items[i];
    return best;
}

/* Without what is only indentation. To be freed; NULL: it cannot be read. */
static char *text_of(const char *location)
{
    uint32_t line;
    struct stat status;
    size_t length = split_line(location, &line);
    char *path = length > 0 && source_is_named(location, length) ? strndup(location, length) : NULL;
    char *source = path ? source_read(path, &status) : NULL, *text = NULL;
    const char *at = source;
    for (uint32_t number = 1; at && *at && number < line; number++)
        at += strcspn(at, "\n") + (at[strcspn(at, "\n")] == '\n');
    if (at && *at) {
        at += strspn(at, " \t");
        text = strndup(at, strcspn(at, "\r\n"));
    }
    free(source);
    free(path);
    return text;
}

static bool is_same_file(const char *a, const char *b)
{
    uint32_t line;
    size_t a_length = split_line(a, &line), b_length = split_line(b, &line);
    return a_length > 0 && a_length == b_length && memcmp(a, b, a_length) == 0;
}

static bool is_same_base(const char *a, const char *b)
{
    const char *x = basename(a), *y = basename(b);
    size_t x_length = strcspn(x, ":"), y_length = strcspn(y, ":");
    return x_length == y_length && memcmp(x, y, x_length) == 0;
}

/* May it be the same line at all? */
static bool is_candidate(const struct cost *cost, const struct cost *before)
{
    if (strcmp(cost->kind, before->kind) != 0)
        return false;
    if (cost->function && before->function)
        return strcmp(cost->function, before->function) == 0;
    return is_same_base(cost->location, before->location);
}

/* The smaller, the likelier. */
enum { SAME_TEXT, SAME_LINE, NEAR_LINE };

static uint64_t rank_candidate(const struct cost *cost, const struct cost *before, const char *text)
{
    uint32_t line, before_line;
    split_line(cost->location, &line);
    split_line(before->location, &before_line);
    uint64_t gap = line > before_line ? line - before_line : before_line - line;
    if (text && !is_same_file(cost->location, before->location)) {
        char *own = text_of(cost->location);
        bool same = own && *text && strcmp(own, text) == 0;
        free(own);
        if (same)
            return (uint64_t)SAME_TEXT << 32 | gap;
    }
    return (uint64_t)(gap == 0 ? SAME_LINE : NEAR_LINE) << 32 | gap;
}

const struct cost *costs_match(const struct costs *after, const struct cost *before, bool *is_guess)
{
    const struct cost *best = NULL;
    uint64_t least = UINT64_MAX;
    *is_guess = false;
    if (strcmp(before->kind, "line") != 0) {
        for (size_t i = 0; i < after->count && !best; i++)
            if (strcmp(after->items[i].location, before->location) == 0 &&
                strcmp(after->items[i].kind, before->kind) == 0)
                best = &after->items[i];
        return best;
    }
    char *text = text_of(before->location);
    for (size_t i = 0; i < after->count; i++) {
        if (!is_candidate(&after->items[i], before))
            continue;
        uint64_t rank = rank_candidate(&after->items[i], before, text);
        if (rank < least) {
            least = rank;
            best = &after->items[i];
        }
    }
    free(text);
    *is_guess = best && least >> 32 == NEAR_LINE;
    return best;
}

double costs_of(const struct costs *costs, const struct cost *target)
{
    for (size_t i = 0; i < costs->count; i++)
        if (strcmp(costs->items[i].location, target->location) == 0 &&
            strcmp(costs->items[i].kind, target->kind) == 0)
            return costs->items[i].cpu_ns;
    return 0;
}
