/* Sites by what a person wrote. */
#include "debuginfo/names/site.h"

#include <stdlib.h>
#include <string.h>

#include "debuginfo/names/function_name.h"

/* ---- lines ---- */

/* Is the first size characters of name a trailing part of path that begins at a '/'? */
static bool is_trailing_part(const char *path, const char *name, size_t size)
{
    size_t length = strlen(path);
    if (size == 0 || size > length || memcmp(path + length - size, name, size) != 0)
        return false;
    return size == length || name[0] == '/' || path[length - size - 1] == '/';
}

bool site_line_matches(const char *file, uint32_t line, const char *file_line)
{
    const char *colon = strrchr(file_line, ':');
    return colon && colon[1] >= '0' && colon[1] <= '9' && strtoul(colon + 1, NULL, 10) == line &&
           is_trailing_part(file, file_line, (size_t)(colon - file_line));
}

uint32_t site_find(const struct site_set *set, const char *file_line, uint32_t *nearest)
{
    uint32_t closest = 0, gap = UINT32_MAX;
    if (nearest)
        *nearest = 0;
    const char *colon = strrchr(file_line, ':');
    if (!colon || colon[1] < '0' || colon[1] > '9')
        return 0;
    char *end;
    unsigned long line = strtoul(colon + 1, &end, 10);
    if (*end || line > UINT32_MAX)
        return 0;
    const char *checked = NULL; /* names are interned and neighbours mostly share one: compare each once */
    bool matches = false;
    for (uint32_t id = 1; id < set->count; id++) {
        const struct site *site = &set->sites[id];
        if (site->line == 0)
            continue;
        if (site->file != checked) {
            checked = site->file;
            matches = is_trailing_part(site->file, file_line, (size_t)(colon - file_line));
        }
        if (!matches)
            continue;
        if (site->line == line)
            return id;
        uint32_t away = site->line > line ? site->line - (uint32_t)line : (uint32_t)line - site->line;
        if (away < gap || (away == gap && site->line > line)) {
            gap = away;
            closest = id;
        }
    }
    if (nearest)
        *nearest = closest;
    return 0;
}

/* ---- functions ---- */

/* Keeps the nearest `most` so far, the nearest first. */
static void note_near(uint32_t *ids, size_t *distances, size_t *count, size_t most, uint32_t id,
                      size_t distance)
{
    size_t at = *count < most ? (*count)++ : most - 1;
    if (*count == most && at == most - 1 && ids[at] && distances[at] <= distance)
        return;
    for (; at > 0 && distances[at - 1] > distance; at--) {
        ids[at] = ids[at - 1];
        distances[at] = distances[at - 1];
    }
    ids[at] = id;
    distances[at] = distance;
}

/* Those with less than half of their characters changed. */
static size_t find_near(const struct site_set *set, const char *wanted, uint32_t *ids, size_t most)
{
    size_t distances[SITE_NEAREST] = {0}, count = 0;
    most = most < SITE_NEAREST ? most : SITE_NEAREST;
    memset(ids, 0, most * sizeof *ids);
    for (uint32_t id = 1; id < set->count; id++) {
        if (set->sites[id].line != 0)
            continue;
        size_t distance = function_name_distance(set->sites[id].file, wanted);
        if (2 * distance < strlen(wanted))
            note_near(ids, distances, &count, most, id, distance);
    }
    return count;
}

size_t site_find_functions(const struct site_set *set, const char *wanted, uint32_t *ids, size_t most,
                           size_t *nearest)
{
    int best = 1;
    size_t count = 0;
    for (uint32_t id = 1; id < set->count; id++) {
        int match = set->sites[id].line == 0 ? function_name_match(set->sites[id].file, wanted) : 0;
        if (match < best)
            continue;
        if (match > best)
            count = 0;
        best = match;
        if (count < most)
            ids[count] = id;
        count++;
    }
    *nearest = count ? 0 : find_near(set, wanted, ids, most);
    return count;
}
