#include "experiment/targets/fixed_targets.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

static void add_target(struct targets *targets, uint32_t target)
{
    for (uint32_t i = 0; i < targets->fixed_count; i++)
        if (targets->fixed[i] == target)
            return;
    if (targets->fixed_count < sizeof targets->fixed / sizeof *targets->fixed)
        targets->fixed[targets->fixed_count++] = target;
}

static int add_line(const char *line, const struct target_names *names, struct targets *targets,
                    struct coz_error *err)
{
    uint32_t nearest = 0, site = site_find(names->sites, line, &nearest);
    char name[PATH_MAX] = "";
    if (site) {
        add_target(targets, site);
        return 0;
    }
    if (nearest)
        site_name(names->sites, nearest, name, sizeof name);
    return error_set(err, EINVAL, "--fixed-line %s: no code in scope there%s%s%s", line,
                     nearest ? "; the nearest line with code is " : "", name,
                     nearest ? "" : " (`coz lines PROGRAM` lists what there is)");
}

static int add_function(const char *wanted, const struct target_names *names, struct targets *targets,
                        struct coz_error *err)
{
    uint32_t ids[FIXED_MOST];
    size_t nearest, count = site_find_functions(names->sites, wanted, ids, FIXED_MOST, &nearest);
    char text[1200] = "";
    for (size_t i = 0; i < nearest; i++) {
        size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "%s%.300s",
                 i ? ", " : "; the nearest names: ", names->sites->sites[ids[i]].file);
    }
    if (count > FIXED_MOST)
        return error_set(err, EINVAL,
                         "--fixed-function %s: that is the name of %zu functions; say more of it", wanted,
                         count);
    if (count == 0)
        return error_set(err, EINVAL,
                         "--fixed-function %s: no such function in scope%s%s. If it comes later, with "
                         "generated code or a library, add --late",
                         wanted, text,
                         nearest ? "" : " (`coz lines --functions PROGRAM` lists what there is)");
    for (size_t i = 0; i < count; i++)
        add_target(targets, ids[i]);
    return 0;
}

static int add_callsite(const char *wanted, const struct target_names *names, struct targets *targets,
                        struct coz_error *err)
{
    uint32_t target = target_find(names, wanted);
    if (!target)
        return error_set(
            err, EINVAL,
            "--fixed-callsite %s: not two lines with code in scope, as in \"a.c:12 <- b.c:34\" (`coz "
            "lines PROGRAM` lists what there is)",
            wanted);
    add_target(targets, target);
    return 0;
}

static bool may_come_late(const struct fixed_targets *fixed, const struct target_names *names)
{
    return fixed->late && names->segment->granularity == GRANULARITY_FUNCTION;
}

int fixed_targets_resolve(const struct fixed_targets *fixed, const struct target_names *names,
                          struct targets *targets, struct coz_error *err)
{
    static int (*const adders[])(const char *, const struct target_names *, struct targets *,
                                 struct coz_error *) = {[GRANULARITY_LINE] = add_line,
                                                        [GRANULARITY_FUNCTION] = add_function,
                                                        [GRANULARITY_CALLSITE] = add_callsite};
    int rc = 0;
    targets->only_fixed = fixed->count > 0;
    if (may_come_late(fixed, names)) {
        fixed_targets_look(fixed, names, targets);
        return 0;
    }
    for (size_t i = 0; rc == 0 && i < fixed->count; i++)
        rc = adders[names->segment->granularity](fixed->names[i], names, targets, err);
    return rc;
}

void fixed_targets_look(const struct fixed_targets *fixed, const struct target_names *names,
                        struct targets *targets)
{
    uint32_t ids[FIXED_MOST];
    size_t nearest;
    if (!may_come_late(fixed, names))
        return;
    for (size_t i = 0; i < fixed->count; i++) {
        size_t count = site_find_functions(names->sites, fixed->names[i], ids, FIXED_MOST, &nearest);
        for (size_t j = 0; j < count && j < FIXED_MOST; j++)
            add_target(targets, ids[j]);
    }
}

const char *fixed_targets_missing(const struct fixed_targets *fixed, const struct target_names *names)
{
    uint32_t ids[FIXED_MOST];
    size_t nearest;
    for (size_t i = 0; may_come_late(fixed, names) && i < fixed->count; i++)
        if (site_find_functions(names->sites, fixed->names[i], ids, FIXED_MOST, &nearest) == 0)
            return fixed->names[i];
    return NULL;
}
