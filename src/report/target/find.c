#include "report/target/find.h"

#include "debuginfo/names/function_name.h"
#include "debuginfo/names/site.h"
#include "report/cells.h"
#include "stats/answers/details.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { NAMED_MOST = 3, NAME_ROOM = 110 };

static const char between[] = " <- ";

/* Splits "path:line". */
static bool split_line(const char *location, char *path, size_t size, uint32_t *line)
{
    const char *colon = strrchr(location, ':');
    char *end;
    if (!colon || colon[1] < '0' || colon[1] > '9' || (size_t)(colon - location) >= size)
        return false;
    unsigned long number = strtoul(colon + 1, &end, 10);
    memcpy(path, location, (size_t)(colon - location));
    path[colon - location] = '\0';
    *line = (uint32_t)number;
    return !*end && number <= UINT32_MAX;
}

static bool is_line(const char *location, const char *wanted)
{
    char path[4200];
    uint32_t line;
    return split_line(location, path, sizeof path, &line) && site_line_matches(path, line, wanted);
}

/* Both lines of a call site. */
static bool is_callsite(const char *location, const char *wanted)
{
    const char *caller = strstr(location, between), *wanted_caller = strstr(wanted, between);
    if (!caller || !wanted_caller || !is_line(caller + strlen(between), wanted_caller + strlen(between)))
        return false;
    char *line = strndup(location, (size_t)(caller - location));
    char *wanted_line = strndup(wanted, (size_t)(wanted_caller - wanted));
    bool same = line && wanted_line && is_line(line, wanted_line);
    free(line);
    free(wanted_line);
    return same;
}

/* All of them, in their order, with or without blanks around each '+'. */
static bool is_together(const char *location, const char *wanted)
{
    static const char plus[] = " + ";
    for (;;) {
        const char *end = strstr(location, plus), *mark = function_name_plus(wanted);
        if (!end != !*mark)
            return false;
        char *part = strndup(location, end ? (size_t)(end - location) : strlen(location));
        char *own = strndup(wanted, (size_t)(mark - wanted));
        char *tail = own ? own + strlen(own) : NULL;
        while (tail && tail > own && tail[-1] == ' ')
            *--tail = '\0';
        bool same = part && own &&
                    (strcmp(part, own) == 0 || is_line(part, own) || function_name_match(part, own) > 0);
        free(part);
        free(own);
        if (!same || !end)
            return same;
        location = end + strlen(plus);
        wanted = mark + 1;
        wanted += strspn(wanted, " ");
    }
}

/* How well an answer's target is what was asked for; 0: not at all. */
static int match_of(const struct analysis_result *result, const char *wanted)
{
    if (strcmp(result->location, wanted) == 0)
        return 10;
    if (strcmp(result->kind, "function") == 0)
        return function_name_match(result->location, wanted);
    if (strcmp(result->kind, "callsite") == 0)
        return is_callsite(result->location, wanted);
    if (strcmp(result->kind, "together") == 0)
        return is_together(result->location, wanted);
    return is_line(result->location, wanted);
}

static int match_of_function(const struct analysis *analysis, const struct analysis_result *result,
                             const char *wanted)
{
    const char *function = analysis_function_of(analysis, result);
    return function ? function_name_match(function, wanted) : 0;
}

/* Names that are near to what was asked for, and how far they are. */
struct near_names {
    const char *names[NAMED_MOST];
    uint64_t distances[NAMED_MOST];
    size_t count;
};

static void add_near(struct near_names *near, const char *name, uint64_t distance)
{
    size_t place = near->count;
    for (size_t i = 0; i < near->count; i++)
        if (strcmp(near->names[i], name) == 0)
            return;
    while (place > 0 && distance < near->distances[place - 1])
        place--;
    if (place == NAMED_MOST)
        return;
    near->count += near->count < NAMED_MOST;
    for (size_t i = near->count - 1; i > place; i--) {
        near->names[i] = near->names[i - 1];
        near->distances[i] = near->distances[i - 1];
    }
    near->names[place] = name;
    near->distances[place] = distance;
}

/* Of lines the file counts first, and then how far away they are in it; else letters. */
static uint64_t distance_of(const char *name, const char *wanted)
{
    char path[4200], wanted_path[4200];
    uint32_t line, wanted_line;
    bool lines = split_line(name, path, sizeof path, &line);
    if (!split_line(wanted, wanted_path, sizeof wanted_path, &wanted_line) || strstr(wanted, between))
        return ((uint64_t)function_name_distance(name, wanted) << 32) + lines;
    if (!lines)
        return UINT64_MAX;
    uint64_t gap = line > wanted_line ? line - wanted_line : wanted_line - line;
    return (uint64_t)function_name_distance(basename(path), basename(wanted_path)) << 32 | gap;
}

static void list_near(char *text, size_t size, const struct near_names *near)
{
    size_t used = 0;
    *text = '\0';
    for (size_t i = 0; i < near->count; i++) {
        char *clean = clean_text(near->names[i], true);
        size_t length = clean ? strlen(clean) : 0;
        used += (size_t)snprintf(text + used, size - used, "%s%s%s", i ? ", " : "",
                                 length > NAME_ROOM ? "..." : "",
                                 clean ? clean + (length > NAME_ROOM ? length - NAME_ROOM : 0) : "?");
        free(clean);
        if (used >= size)
            return;
    }
}

/* Nothing is called so: says what was left out of that name, or what is near. */
static int refuse_name(struct analysis *analysis, const struct analysis_result *results, size_t count,
                       const char *wanted, const char *shown, struct coz_error *err)
{
    struct near_names near = {.count = 0};
    const struct analysis_hidden *hidden;
    size_t hidden_count = analysis_hidden(analysis, &hidden);
    for (size_t i = 0; i < hidden_count; i++)
        if (is_line(hidden[i].location, wanted) || function_name_match(hidden[i].location, wanted))
            return error_set(err, ENOENT, "There is no answer for %.150s: %s.", shown, hidden[i].why);
    for (size_t i = 0; i < count; i++) {
        const char *function = analysis_function_of(analysis, &results[i]);
        add_near(&near, results[i].location, distance_of(results[i].location, wanted));
        if (function)
            add_near(&near, function, distance_of(function, wanted));
    }
    for (size_t i = 0; i < hidden_count; i++)
        add_near(&near, hidden[i].location, distance_of(hidden[i].location, wanted));
    char text[NAMED_MOST * (NAME_ROOM + 8)];
    list_near(text, sizeof text, &near);
    return error_set(err, ENOENT, "%.60s was not tried. The nearest of what was: %s.", shown, text);
}

/* The best match among the answers, or among the functions that their lines are in; rivals: what it may be
 * taken for. NULL: none. */
static const struct analysis_result *best_match(const struct analysis *analysis,
                                                const struct analysis_result *results, size_t count,
                                                const char *wanted, bool by_function,
                                                struct near_names *rivals)
{
    const struct analysis_result *best = NULL;
    int most = 0;
    rivals->count = 0;
    for (size_t i = 0; i < count; i++) {
        int match =
            by_function ? match_of_function(analysis, &results[i], wanted) : match_of(&results[i], wanted);
        if (match == 0 || match < most)
            continue;
        if (match > most) {
            rivals->count = 0;
            best = &results[i];
        }
        most = match;
        add_near(rivals, by_function ? analysis_function_of(analysis, &results[i]) : results[i].location, i);
    }
    return best;
}

static int refuse_rivals(const char *shown, const struct near_names *rivals, struct coz_error *err)
{
    char text[NAMED_MOST * (NAME_ROOM + 8)];
    list_near(text, sizeof text, rivals);
    return error_set(err, EINVAL, "%.60s may be several, say more of the name: %s.", shown, text);
}

/* shown: the same as wanted, fit to be printed. */
static int find_shown(struct found_target *found, struct analysis *analysis,
                      const struct report_options *options, const char *wanted, const char *shown,
                      struct coz_error *err)
{
    const struct analysis_result *results;
    struct near_names rivals;
    size_t count = analysis_results(analysis, &results);
    *found = (struct found_target){.all = results, .all_count = count};
    const struct analysis_result *best = best_match(analysis, results, count, wanted, false, &rivals);
    bool by_function = !best;
    if (!best)
        best = best_match(analysis, results, count, wanted, true, &rivals);
    if (!best)
        return refuse_name(analysis, results, count, wanted, shown, err);
    if (rivals.count > 1)
        return refuse_rivals(shown, &rivals, err);
    if (by_function)
        found->function = analysis_function_of(analysis, best);
    for (size_t i = 0; i < count && found->count < FOUND_POINTS; i++)
        if (strcmp(results[i].location, best->location) == 0 && strcmp(results[i].kind, best->kind) == 0 &&
            option_wants(options, &results[i]))
            found->answers[found->count++] = &results[i];
    if (found->count == 0)
        return error_set(
            err, ENOENT,
            "%.100s has no answer for a progress point named %.100s; leave --point away to see those "
            "that it has.",
            shown, options->point);
    return 0;
}

int find_target(struct found_target *found, struct analysis *analysis, const struct report_options *options,
                const char *wanted, struct coz_error *err)
{
    char *shown = clean_text(wanted, true);
    int rc = find_shown(found, analysis, options, wanted, shown ? shown : "?", err);
    free(shown);
    return rc;
}
