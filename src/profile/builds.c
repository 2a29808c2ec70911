#include "profile/builds.h"

#include "base/array.h"
#include "profile/reader.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

/* So much of a build-id tells builds apart for a reader. */
enum { SHOWN_DIGITS = 16 };

static struct build *find_build(const struct builds *builds, const char *build_id)
{
    for (size_t i = 0; i < builds->count; i++)
        if (strcmp(builds->items[i].build_id, build_id) == 0)
            return &builds->items[i];
    return NULL;
}

static void release_build(struct build *build)
{
    free(build->program);
    free(build->build_id);
    free(build->profile);
}

static struct build *add_build(struct builds *builds, const char *program, const char *build_id,
                               const char *profile)
{
    if (builds->count == builds->capacity) {
        void *more = array_grown(builds->items, &builds->capacity, sizeof *builds->items);
        if (!more)
            return NULL;
        builds->items = more;
    }
    struct build *build = &builds->items[builds->count];
    *build = (struct build){strdup(program), strdup(build_id), strdup(profile), 0, 0};
    if (!build->program || !build->build_id || !build->profile) {
        release_build(build);
        return NULL;
    }
    builds->count++;
    return build;
}

int builds_add(struct builds *builds, const char *profile, const struct profile_record *record)
{
    if (record->type != PROFILE_STARTUP || !record->startup.build_id)
        return 0;
    const char *program = record->startup.program ? record->startup.program : "an unknown program";
    struct build *build = find_build(builds, record->startup.build_id);
    if (!build)
        build = add_build(builds, program, record->startup.build_id, profile);
    if (!build)
        return -ENOMEM;
    build->runs++;
    if (record->startup.time_ns > build->last_ns)
        build->last_ns = record->startup.time_ns;
    return 0;
}

struct builds_of_profile {
    struct builds *builds;
    const char *profile;
};

static int take_record(void *context, const struct profile_record *record)
{
    const struct builds_of_profile *into = context;
    return builds_add(into->builds, into->profile, record);
}

int builds_read(struct builds *builds, const char *profile, size_t most)
{
    struct stat status;
    if (stat(profile, &status) != 0 || !S_ISREG(status.st_mode) || (size_t)status.st_size > most)
        return 0;
    struct builds_of_profile into = {builds, profile};
    struct profile_visitor visitor = {.record = take_record, .context = &into};
    return profile_read(profile, &visitor, NULL) == -ENOMEM ? -ENOMEM : 0;
}

void builds_describe(const struct build *build, char *text, size_t size)
{
    time_t seconds = (time_t)(build->last_ns / 1000000000);
    struct tm local;
    char when[64] = "at an unknown time";
    if (seconds && localtime_r(&seconds, &local))
        strftime(when, sizeof when, "on %Y-%m-%d at %H:%M:%S", &local);
    if (build->runs == 1)
        snprintf(text, size, "%s (build %.*s, 1 run, %s)", build->program, SHOWN_DIGITS, build->build_id,
                 when);
    else
        snprintf(text, size, "%s (build %.*s, %u runs, the last %s)", build->program, SHOWN_DIGITS,
                 build->build_id, build->runs, when);
}

void builds_release(struct builds *builds)
{
    for (size_t i = 0; i < builds->count; i++)
        release_build(&builds->items[i]);
    free(builds->items);
    *builds = (struct builds){0};
}
