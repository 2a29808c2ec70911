#include "experiment/targets/target_groups.h"

#include "debuginfo/names/scope.h"
#include "shared/thread_names.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void target_groups_release(struct target_groups *groups)
{
    for (uint32_t i = 0; i < groups->count; i++)
        free(groups->items[i].name);
    for (uint32_t i = 0; i < groups->file_count; i++)
        free(groups->files[i].pattern);
    groups->count = groups->file_count = 0;
}

/* Beyond the numbers that samples find by themselves, where those are not given by the controller. */
static uint32_t number_of(const struct segment *segment, struct site_set *sites, uint32_t index,
                          const char *name)
{
    if (segment->granularity == GRANULARITY_THREAD)
        return SEGMENT_THREAD_NAMES + index;
    if (segment->granularity == GRANULARITY_CALLSITE)
        return SEGMENT_CALLSITES + index;
    return site_intern(sites, name, 0);
}

int target_groups_add(struct target_groups *groups, struct segment *segment, struct site_set *sites,
                      const char *name, const char *kind)
{
    if (groups->count == SEGMENT_GROUPS)
        return -ENOSPC;
    struct target_group group = {
        .name = strdup(name), .kind = kind, .target = number_of(segment, sites, groups->count, name)};
    if (!group.name || !group.target) {
        free(group.name);
        return -ENOMEM;
    }
    groups->items[groups->count] = group;
    segment->group_sites[groups->count] = group.target;
    segment->group_count = ++groups->count;
    return (int)groups->count - 1;
}

const struct target_group *target_groups_of(const struct target_groups *groups, uint32_t target)
{
    for (uint32_t i = 0; groups && i < groups->count; i++)
        if (groups->items[i].target == target)
            return &groups->items[i];
    return NULL;
}

uint32_t target_groups_find(const struct target_groups *groups, const char *name)
{
    for (uint32_t i = 0; groups && i < groups->count; i++)
        if (strcmp(groups->items[i].name, name) == 0)
            return groups->items[i].target;
    return 0;
}

void target_groups_add_site(struct segment *segment, uint32_t group, uint32_t site)
{
    atomic_fetch_or(&segment->site_groups[site], 1ull << group);
}

int target_groups_add_files(struct target_groups *groups, uint32_t group, const char *pattern)
{
    if (groups->file_count == SEGMENT_PATTERNS)
        return -ENOSPC;
    char *copy = strdup(pattern);
    if (!copy)
        return -ENOMEM;
    groups->files[groups->file_count++] = (struct group_files){copy, group};
    groups->looked = 0;
    return 0;
}

int target_groups_add_threads(struct segment *segment, uint32_t group, const char *pattern)
{
    if (segment->pattern_count == SEGMENT_PATTERNS)
        return -ENOSPC;
    struct segment_pattern *slot = &segment->patterns[segment->pattern_count++];
    char name[THREAD_NAME_BYTES];
    slot->group = group;
    snprintf(slot->text, sizeof slot->text, "%s", pattern);
    for (uint32_t i = 1; i < SEGMENT_THREAD_NAMES; i++)
        if (thread_name_is_ready(&segment->thread_names[i]) &&
            glob_matches(slot->text, thread_name_read(segment, i, name)))
            target_groups_add_site(segment, group, i);
    return 0;
}

static uint64_t groups_of_file(const struct target_groups *groups, const char *file)
{
    uint64_t bits = 0;
    for (uint32_t i = 0; i < groups->file_count; i++)
        if (scope_pattern_matches(groups->files[i].pattern, file))
            bits |= 1ull << groups->files[i].group;
    return bits;
}

void target_groups_look(struct target_groups *groups, struct segment *segment, const struct site_set *sites)
{
    const char *checked = NULL; /* names are interned, and neighbours mostly share one */
    uint64_t bits = 0;
    uint32_t from = groups->looked ? groups->looked : 1;
    for (uint32_t id = from; groups->file_count && id < sites->count; id++) {
        const struct site *site = &sites->sites[id];
        if (site->line == 0)
            continue;
        if (site->file != checked)
            bits = groups_of_file(groups, checked = site->file);
        if (bits)
            atomic_fetch_or(&segment->site_groups[id], bits);
    }
    groups->looked = sites->count;
}

bool target_groups_has_any(const struct segment *segment, const struct site_set *sites, uint32_t group)
{
    for (uint32_t id = 1; id < sites->count; id++)
        if (atomic_load(&segment->site_groups[id]) >> group & 1)
            return true;
    return false;
}
