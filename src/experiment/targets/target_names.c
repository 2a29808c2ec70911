#include "experiment/targets/target_names.h"

#include "shared/callsites.h"
#include "shared/region_slots.h"
#include "shared/thread_names.h"

#include <stdio.h>
#include <string.h>

static const char between[] = " <- ", of_thread[] = "thread:", of_region[] = "region:";

static enum granularity granularity_of(const struct target_names *names)
{
    return (enum granularity)names->segment->granularity;
}

const char *target_run_kind(const struct target_names *names)
{
    static const char *const kinds[] = {"line", "function", "callsite", "file", "thread"};
    return kinds[granularity_of(names)];
}

/* Waits have numbers among lines, but no line (wait_targets.h). */
bool target_is_wait(const struct target_names *names, uint32_t target)
{
    return granularity_of(names) == GRANULARITY_LINE && target && target < names->sites->count &&
           names->sites->sites[target].line == 0 && !target_groups_of(names->groups, target) &&
           !target_is_region(names, target);
}

bool target_is_region(const struct target_names *names, uint32_t target)
{
    return region_slot_of_target(names->segment, target) != NULL;
}

segment_target target_word(const struct target_names *names, uint32_t target, int permille)
{
    uint32_t flag = target_is_wait(names, target)     ? SEGMENT_TARGET_WAIT
                    : target_is_region(names, target) ? SEGMENT_TARGET_REGION
                                                      : 0;
    return segment_target_make(target | flag, permille);
}

const char *target_kind(const struct target_names *names, uint32_t target)
{
    const struct target_group *group = target_groups_of(names->groups, target);
    if (target_is_region(names, target))
        return "region";
    if (target_is_wait(names, target))
        return "wait";
    return group ? group->kind : target_run_kind(names);
}

uint32_t target_count(const struct target_names *names)
{
    uint32_t groups = names->groups ? names->groups->count : 0;
    switch (granularity_of(names)) {
    case GRANULARITY_CALLSITE:
        return SEGMENT_CALLSITES + groups;
    case GRANULARITY_THREAD:
        return SEGMENT_THREAD_NAMES + groups;
    case GRANULARITY_LINE:
    case GRANULARITY_FUNCTION:
    case GRANULARITY_FILE:
        break;
    }
    return names->sites->count;
}

const char *target_name(const struct target_names *names, uint32_t target, char *buffer, size_t size)
{
    const struct target_group *group = target_groups_of(names->groups, target);
    char thread[THREAD_NAME_BYTES];
    if (group) {
        snprintf(buffer, size, "%s", group->name);
        return buffer;
    }
    if (granularity_of(names) == GRANULARITY_THREAD) {
        snprintf(buffer, size, "%s%s", of_thread, thread_name_read(names->segment, target, thread));
        return buffer;
    }
    if (granularity_of(names) != GRANULARITY_CALLSITE)
        return site_name(names->sites, target, buffer, size);
    if (target >= SEGMENT_CALLSITES) {
        snprintf(buffer, size, "?");
        return buffer;
    }
    site_name(names->sites, callsite_line(names->segment, target), buffer, size);
    uint32_t caller = callsite_caller(names->segment, target);
    size_t used = strlen(buffer);
    if (caller && used + sizeof between < size) {
        strcpy(buffer + used, between);
        used += sizeof between - 1;
        site_name(names->sites, caller, buffer + used, size - used);
    }
    return buffer;
}

static uint32_t find_callsite(const struct target_names *names, const char *name)
{
    const char *mark = strstr(name, between);
    char line[4096];
    size_t length = mark ? (size_t)(mark - name) : strlen(name);
    if (length >= sizeof line)
        return 0;
    memcpy(line, name, length);
    line[length] = '\0';
    uint32_t site = site_find(names->sites, line, NULL), caller = 0;
    if (mark && !(caller = site_find(names->sites, mark + sizeof between - 1, NULL)))
        return 0;
    return site ? callsite_number(names->segment, site, caller) : 0;
}

static uint32_t find_thread(const struct target_names *names, const char *name)
{
    size_t prefix = sizeof of_thread - 1;
    return strncmp(name, of_thread, prefix) == 0
               ? thread_name_number(names->segment, thread_name_text(name + prefix))
               : 0;
}

uint32_t target_find(const struct target_names *names, const char *name)
{
    uint32_t group = target_groups_find(names->groups, name);
    if (group)
        return group;
    switch (granularity_of(names)) {
    case GRANULARITY_THREAD:
        return find_thread(names, name);
    case GRANULARITY_FILE:
    case GRANULARITY_FUNCTION:
        return site_find_function(names->sites, name);
    case GRANULARITY_CALLSITE:
        return find_callsite(names, name);
    case GRANULARITY_LINE:
        break;
    }
    if (strncmp(name, of_region, sizeof of_region - 1) == 0)
        return site_find_function(names->sites, name);
    return site_find(names->sites, name, NULL);
}

const char *target_file(const struct target_names *names, uint32_t target)
{
    return granularity_of(names) == GRANULARITY_FUNCTION && !target_groups_of(names->groups, target) &&
                   !target_is_region(names, target)
               ? names->sites->declared[target]
               : NULL;
}
