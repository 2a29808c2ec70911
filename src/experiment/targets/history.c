#include "experiment/targets/history.h"

#include "base/random.h"
#include "profile/builds.h"
#include "profile/reader.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h> /* renameat2 */
#include <string.h>
#include <sys/stat.h>

static const off_t largest_read = 64 << 20;

static bool is_readable(const char *profile)
{
    struct stat status;
    return stat(profile, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0 &&
           status.st_size <= largest_read;
}

/* Profiles may hold runs of other granularities. */
static uint32_t find_of_kind(const struct target_names *names, const char *kind, const char *location)
{
    uint32_t target = target_find(names, location);
    return target && strcmp(kind ? kind : "line", target_kind(names, target)) == 0 ? target : 0;
}

struct remembering {
    struct targets *targets;
    const struct target_names *names;
};

static int remember_draw(void *context, const struct profile_record *record)
{
    struct remembering *into = context;
    if (record->type != PROFILE_EXPERIMENT || record->experiment.window != 1)
        return 0;
    if (kind_is_wait(record->experiment.kind)) {
        targets_remember_wait(into->targets);
        return 0;
    }
    uint32_t site = find_of_kind(into->names, record->experiment.kind, record->experiment.selected);
    return site ? targets_remember(into->targets, site, target_count(into->names)) : 0;
}

void history_remember_draws(struct targets *targets, const char *profile, const struct target_names *names)
{
    struct remembering into = {targets, names};
    struct profile_visitor visitor = {.record = remember_draw, .context = &into};
    if (is_readable(profile))
        profile_read(profile, &visitor, NULL);
}

struct drawing {
    const struct target_names *names;
    uint64_t *seed;
    double seen;
    uint32_t chosen;
};

/* One pass: each location replaces the choice with probability own / seen so far. */
static int draw_location(void *context, const struct profile_record *record)
{
    struct drawing *drawing = context;
    if (record->type != PROFILE_SAMPLES)
        return 0;
    uint32_t site = find_of_kind(drawing->names, record->samples.kind, record->samples.location);
    double own = site ? (double)record->samples.count : 0, cpu_ns = (double)record->samples.cpu_ns;
    if (cpu_ns > 0)
        own *= target_worth(drawing->names->segment, cpu_ns, (double)record->samples.self_ns) / cpu_ns;
    drawing->seen += own;
    if (own > 0 && random_unit(drawing->seed) * drawing->seen < own)
        drawing->chosen = site;
    return 0;
}

uint32_t history_draw_target(const char *profile, const struct target_names *names, uint64_t *seed)
{
    struct drawing drawing = {.names = names, .seed = seed};
    struct profile_visitor visitor = {.record = draw_location, .context = &drawing};
    if (is_readable(profile))
        profile_read(profile, &visitor, NULL);
    return drawing.chosen;
}

struct analysing {
    struct analysis *analysis;
    const char *program, *build_id;
    bool mixes, is_ours; /* the run that is being read */
};

static bool is_run_of(const struct analysing *into, const struct profile_record *startup)
{
    if (startup->startup.build_id && *into->build_id && !into->mixes)
        return strcmp(startup->startup.build_id, into->build_id) == 0;
    return startup->startup.program && strcmp(startup->startup.program, into->program) == 0;
}

static int analyse_record(void *context, const struct profile_record *record)
{
    struct analysing *into = context;
    if (record->type == PROFILE_STARTUP)
        into->is_ours = is_run_of(into, record);
    return into->is_ours ? analysis_add(into->analysis, record) : 0;
}

int history_analyse(struct analysis *analysis, const char *profile, const char *program, const char *build_id,
                    bool mixes)
{
    struct analysing into = {analysis, program, build_id, mixes, false};
    struct profile_visitor visitor = {.record = analyse_record, .context = &into};
    int rc = is_readable(profile) ? profile_read(profile, &visitor, NULL) : 0;
    return rc == -ENOMEM ? rc : analysis_finish(analysis);
}

int history_check_build(const char *profile, const char *program, const char *build_id, struct coz_error *err)
{
    struct builds builds = {0};
    int code = builds_read(&builds, profile, (size_t)largest_read);
    if (code < 0)
        error_set(err, -code, "%s: %s", profile, strerror(-code));
    for (size_t i = 0; i < builds.count && code == 0; i++) {
        char other[240];
        if (strcmp(builds.items[i].build_id, build_id) == 0)
            continue;
        builds_describe(&builds.items[i], other, sizeof other);
        code = error_set(
            err, EINVAL,
            "%.60s already holds runs of %s, and what is true of it need not be true of %.100s (build %.16s). Write to another file (-o OTHER.jsonl), or mix them if you mean to (--mix).",
            profile, other, program, build_id);
    }
    builds_release(&builds);
    return code;
}

int history_set_aside(const char *profile, char aside[PATH_MAX], struct coz_error *err)
{
    const char *slash = strrchr(profile, '/'), *dot = strrchr(slash ? slash : profile, '.');
    int stem = dot ? (int)(dot - profile) : (int)strlen(profile);
    for (unsigned number = 1; number; number++) {
        if (snprintf(aside, PATH_MAX, "%.*s-%u%s", stem, profile, number, profile + stem) >= PATH_MAX)
            return error_set(err, ENAMETOOLONG, "%.200s: %s", profile, strerror(ENAMETOOLONG));
        if (renameat2(AT_FDCWD, profile, AT_FDCWD, aside, RENAME_NOREPLACE) == 0)
            return 0;
        if (errno != EEXIST)
            break;
    }
    return error_set(err, errno, "%.200s cannot be renamed to %.200s: %s", profile, aside, strerror(errno));
}
