#include "experiment/targets/target_names.h"

#include "shared/callsites.h"

#include <stdio.h>
#include <string.h>

static const char between[] = " <- ";

static enum granularity granularity_of(const struct target_names *names)
{
    return (enum granularity)names->segment->granularity;
}

const char *target_kind(const struct target_names *names)
{
    static const char *const kinds[] = {"line", "function", "callsite"};
    return kinds[granularity_of(names)];
}

uint32_t target_count(const struct target_names *names)
{
    return granularity_of(names) == GRANULARITY_CALLSITE ? SEGMENT_CALLSITES : names->sites->count;
}

const char *target_name(const struct target_names *names, uint32_t target, char *buffer, size_t size)
{
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

uint32_t target_find(const struct target_names *names, const char *name)
{
    switch (granularity_of(names)) {
    case GRANULARITY_FUNCTION:
        return site_find_function(names->sites, name);
    case GRANULARITY_CALLSITE:
        return find_callsite(names, name);
    case GRANULARITY_LINE:
        break;
    }
    return site_find(names->sites, name, NULL);
}

const char *target_file(const struct target_names *names, uint32_t target)
{
    return granularity_of(names) == GRANULARITY_FUNCTION ? names->sites->declared[target] : NULL;
}
