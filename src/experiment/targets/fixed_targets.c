#include "experiment/targets/fixed_targets.h"

#include "experiment/targets/nearest.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

static const char no_memory[] = "out of memory, or of room for targets";

/* What all are found with. */
struct finding {
    const struct target_names *names;
    struct target_groups *groups;
    struct site_set *sites;
    struct targets *targets;
    struct coz_error *err;
    bool may_be_gone; /* as of fixed_targets */
};

/* What a part of a specification names; of functions it may be several. */
struct member {
    const struct target_part *part;
    uint32_t target;
};

/* ---- names: each finder gives numbers, at most FIXED_MOST, and returns how many there are, or -EINVAL ---- */

static int find_line(const struct finding *finding, const struct target_spec *spec, const char *line,
                     uint32_t *found)
{
    uint32_t nearest = 0, site = site_find(finding->names->sites, line, &nearest);
    char name[PATH_MAX] = "";
    if (site) {
        found[0] = site;
        return 1;
    }
    if (nearest)
        site_name(finding->names->sites, nearest, name, sizeof name);
    return error_set(finding->err, EINVAL, "%s %s: no code in scope there%s%s%s", spec->option, line,
                     nearest ? "; the nearest line with code is " : "", name,
                     nearest ? "" : " (`coz lines PROGRAM` lists what there is)");
}

static int find_functions(const struct finding *finding, const struct target_spec *spec, const char *wanted,
                          uint32_t *found)
{
    size_t nearest, most = spec->count > 1 && !finding->may_be_gone ? 1 : FIXED_MOST;
    size_t count = site_find_functions(finding->names->sites, wanted, found, FIXED_MOST, &nearest);
    char text[1200] = "";
    if (finding->may_be_gone && count > most)
        count = most;
    if (count > most)
        return error_set(finding->err, EINVAL, "%s %s: that is the name of %zu functions; say more of it",
                         spec->option, wanted, count);
    if (count > 0)
        return (int)count;
    nearest_functions(finding->names->sites, found, nearest, text, sizeof text);
    return error_set(finding->err, EINVAL,
                     "%s %s: no such function in scope%s%s. If it comes later, with generated code or a "
                     "library, add --late",
                     spec->option, wanted, text,
                     nearest ? "" : " (`coz lines --functions PROGRAM` lists what there is)");
}

/* As it is written in profiles: one space on either side of the arrow. */
static void write_evenly(char *text, size_t size, const char *name)
{
    const char *arrow = strstr(name, "<-"), *end = arrow, *caller = arrow ? arrow + 2 : name;
    while (end && end > name && end[-1] == ' ')
        end--;
    caller += strspn(caller, " ");
    snprintf(text, size, "%.*s <- %s", (int)(end ? end - name : 0), name, caller);
}

static int find_callsite(const struct finding *finding, const struct target_spec *spec, const char *wanted,
                         uint32_t *found)
{
    char name[TARGET_PART_BYTES + 8];
    write_evenly(name, sizeof name, wanted);
    found[0] = target_find(finding->names, name);
    if (found[0])
        return 1;
    return error_set(finding->err, EINVAL,
                     "%s %s: not two lines with code in scope, as in \"a.c:12 <- b.c:34\" (`coz "
                     "lines PROGRAM` lists what there is)",
                     spec->option, wanted);
}

/* ---- groups ---- */

static int add_group(const struct finding *finding, const char *name, const char *kind)
{
    int group = target_groups_add(finding->groups, finding->names->segment, finding->sites, name, kind);
    return group < 0 ? error_set(finding->err, -group, "--target %s: %s", name, no_memory) : group;
}

static int add_pattern(const struct finding *finding, const struct target_part *part, uint32_t group,
                       const char *pattern)
{
    int rc = part->kind == PART_FILE ? target_groups_add_files(finding->groups, group, pattern)
                                     : target_groups_add_threads(finding->names->segment, group, pattern);
    return rc ? error_set(finding->err, -rc, "--target %s: %s", pattern, no_memory) : 0;
}

static int check_files(const struct finding *finding, const char *pattern, uint32_t group)
{
    char text[1200];
    const struct target_names *names = finding->names;
    target_groups_look(finding->groups, names->segment, names->sites);
    if (target_groups_has_any(names->segment, names->sites, group))
        return 0;
    nearest_files(finding->names->sites, pattern, text, sizeof text);
    return error_set(finding->err, EINVAL,
                     "--target file:%s: no file with code in scope matches%s (for all below a folder write "
                     "folder/%%)",
                     pattern, text);
}

static void write_pattern_name(const struct target_part *part, const char *pattern, char *name, size_t size)
{
    snprintf(name, size, "%s:%s", part->kind == PART_FILE ? GROUP_KIND_FILE : GROUP_KIND_THREAD, pattern);
}

/* A name of threads that is no pattern: it is a target by itself. */
static bool is_one_name(const struct target_part *part, const char *name)
{
    return part->kind == PART_THREAD && !strpbrk(name, "*%?");
}

/* The target that all files, or threads, of a pattern are: made now if it is new. Its number, or -EINVAL. */
static int pattern_target(const struct finding *finding, const struct target_part *part, const char *pattern)
{
    char name[TARGET_PART_BYTES + 16];
    write_pattern_name(part, pattern, name, sizeof name);
    uint32_t known = is_one_name(part, pattern) ? target_find(finding->names, name)
                                                : target_groups_find(finding->groups, name);
    if (known)
        return (int)known;
    int group = add_group(finding, name, part->kind == PART_FILE ? GROUP_KIND_FILE : GROUP_KIND_THREAD);
    int rc = group < 0 ? group : add_pattern(finding, part, (uint32_t)group, pattern);
    if (rc == 0 && part->kind == PART_FILE)
        rc = check_files(finding, pattern, (uint32_t)group);
    return rc ? rc : (int)finding->groups->items[group].target;
}

/* The numbers of what a part names; how many, or a negative errno. */
static int find_part(const struct finding *finding, const struct target_spec *spec,
                     const struct target_part *part, uint32_t *found)
{
    char name[TARGET_PART_BYTES];
    target_part_name(part, name);
    int target;
    switch (part->kind) {
    case PART_LINE:
        return find_line(finding, spec, name, found);
    case PART_FUNCTION:
        return find_functions(finding, spec, name, found);
    case PART_CALLSITE:
        return find_callsite(finding, spec, name, found);
    case PART_FILE:
    case PART_THREAD:
        break;
    }
    target = pattern_target(finding, part, name);
    found[0] = target > 0 ? (uint32_t)target : 0;
    return target > 0 ? 1 : target;
}

/* Members of a group that are groups themselves are known by their patterns. */
static int add_member(const struct finding *finding, const struct target_part *part, uint32_t group,
                      uint32_t target)
{
    char pattern[TARGET_PART_BYTES];
    if (part->kind != PART_FILE && part->kind != PART_THREAD) {
        target_groups_add_site(finding->names->segment, group, target);
        return 0;
    }
    return add_pattern(finding, part, group, target_part_name(part, pattern));
}

/* The names of all, or, where some may be gone, what was asked for. */
static void write_together(const struct finding *finding, const struct target_spec *spec,
                           const struct member *members, size_t count, char *name, size_t size)
{
    if (finding->may_be_gone) {
        snprintf(name, size, "%s", spec->text);
        return;
    }
    for (size_t i = 0, used = 0; i < count && used < size; used = strlen(name), i++) {
        snprintf(name + used, size - used, "%s", i ? GROUP_BETWEEN : "");
        used = strlen(name);
        target_name(finding->names, members[i].target, name + used, size - used);
    }
}

/* All at once, beside each by itself. */
static int add_together(const struct finding *finding, const struct target_spec *spec,
                        const struct member *members, size_t count)
{
    char name[TARGET_PARTS * (TARGET_PART_BYTES + 16)] = "";
    write_together(finding, spec, members, count, name, sizeof name);
    uint32_t known = target_groups_find(finding->groups, name);
    if (known) {
        targets_fix(finding->targets, known);
        return 0;
    }
    int group = add_group(finding, name, GROUP_KIND_TOGETHER), rc = group < 0 ? group : 0;
    for (size_t i = 0; rc == 0 && i < count; i++)
        rc = add_member(finding, members[i].part, (uint32_t)group, members[i].target);
    if (rc)
        return rc;
    target_groups_look(finding->groups, finding->names->segment, finding->names->sites);
    targets_fix(finding->targets, finding->groups->items[group].target);
    return 0;
}

static bool is_member(const struct member *members, size_t count, uint32_t target)
{
    for (size_t i = 0; i < count; i++)
        if (members[i].target == target)
            return true;
    return false;
}

/* Adds what a part names to the members; or a negative errno. */
static int find_members(const struct finding *finding, const struct target_spec *spec,
                        const struct target_part *part, struct member *members, size_t *count)
{
    uint32_t found[FIXED_MOST];
    int more = find_part(finding, spec, part, found);
    if (more == -EINVAL && finding->may_be_gone)
        return 0;
    for (int i = 0; i < more; i++) {
        bool known = is_member(members, *count, found[i]);
        if (known && !finding->may_be_gone)
            return error_set(finding->err, EINVAL, "%s %s: the same one twice", spec->option, spec->text);
        if (known || *count == FIXED_MOST)
            continue;
        members[(*count)++] = (struct member){part, found[i]};
        targets_fix(finding->targets, found[i]);
    }
    return more < 0 ? more : 0;
}

static int resolve_spec(const struct finding *finding, const struct target_spec *spec)
{
    struct member members[FIXED_MOST];
    size_t count = 0;
    for (size_t i = 0; i < spec->count; i++) {
        int rc = find_members(finding, spec, &spec->parts[i], members, &count);
        if (rc)
            return rc;
    }
    return spec->count > 1 && count > 0 ? add_together(finding, spec, members, count) : 0;
}

static bool may_come_late(const struct fixed_targets *fixed, const struct target_names *names)
{
    return fixed->late && names->segment->granularity == GRANULARITY_FUNCTION;
}

int fixed_targets_resolve(const struct fixed_targets *fixed, const struct target_names *names,
                          struct target_groups *groups, struct site_set *sites, struct targets *targets,
                          struct coz_error *err)
{
    struct finding finding = {names, groups, sites, targets, err, fixed->may_be_gone};
    int rc = 0;
    targets->only_fixed |= fixed->count > 0;
    if (may_come_late(fixed, names)) {
        fixed_targets_look(fixed, names, groups, targets);
        return 0;
    }
    for (size_t i = 0; rc == 0 && i < fixed->count; i++)
        rc = resolve_spec(&finding, &fixed->specs[i]);
    return rc;
}

void fixed_targets_look(const struct fixed_targets *fixed, const struct target_names *names,
                        struct target_groups *groups, struct targets *targets)
{
    uint32_t ids[FIXED_MOST];
    size_t nearest;
    target_groups_look(groups, names->segment, names->sites);
    if (!may_come_late(fixed, names))
        return;
    for (size_t i = 0; i < fixed->count; i++) {
        char name[TARGET_PART_BYTES];
        target_part_name(&fixed->specs[i].parts[0], name);
        size_t count = site_find_functions(names->sites, name, ids, FIXED_MOST, &nearest);
        for (size_t j = 0; j < count && j < FIXED_MOST; j++)
            targets_fix(targets, ids[j]);
    }
}

/* The first name of threads that none had; false: each was seen. */
static bool find_missing_thread(const struct fixed_targets *fixed, const struct target_names *names,
                                char *name, size_t size)
{
    char pattern[TARGET_PART_BYTES];
    for (size_t i = 0; i < fixed->count; i++)
        for (size_t j = 0; j < fixed->specs[i].count; j++) {
            const struct target_part *part = &fixed->specs[i].parts[j];
            if (part->kind != PART_THREAD)
                continue;
            write_pattern_name(part, target_part_name(part, pattern), name, size);
            if (!atomic_load(&names->segment->sites[target_find(names, name)].count))
                return true;
        }
    return false;
}

static bool find_missing_function(const struct fixed_targets *fixed, const struct target_names *names,
                                  char *name)
{
    uint32_t ids[FIXED_MOST];
    size_t nearest;
    for (size_t i = 0; may_come_late(fixed, names) && i < fixed->count; i++)
        if (site_find_functions(names->sites, target_part_name(&fixed->specs[i].parts[0], name), ids,
                                FIXED_MOST, &nearest) == 0)
            return true;
    return false;
}

const char *fixed_targets_missing(const struct fixed_targets *fixed, const struct target_names *names,
                                  char *text, size_t size)
{
    char name[TARGET_PART_BYTES + 16], threads[400];
    *text = '\0';
    if (find_missing_thread(fixed, names, name, sizeof name))
        snprintf(text, size, "--target %.80s: no thread of that name was seen to run; there were: %s", name,
                 nearest_threads(names->segment, threads, sizeof threads));
    else if (find_missing_function(fixed, names, name))
        snprintf(text, size, "%s %.150s: no function of that name came in this run", fixed->specs[0].option,
                 name);
    return text;
}
