#include "experiment/facts/quota.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where groups with processors are mounted, and what of the hierarchy is seen there. */
struct mounted {
    bool is_v2;
    char at[PATH_MAX], from[PATH_MAX];
};

/* A word of a list with commas. */
static bool list_has(const char *list, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = list; (at = strstr(at, word)); at += length)
        if ((at == list || at[-1] == ',') && (at[length] == ',' || at[length] == '\0'))
            return true;
    return false;
}

static FILE *open_under(const char *root, const char *path)
{
    char *full = NULL;
    FILE *file = asprintf(&full, "%s%s", root, path) < 0 ? NULL : fopen(full, "re");
    free(full);
    return file;
}

/* The process's group in the hierarchy of that version; false when it is in none. */
static bool find_group(const char *root, pid_t pid, bool is_v2, char group[PATH_MAX])
{
    char line[PATH_MAX + 256], path[64];
    bool found = false;
    snprintf(path, sizeof path, "/proc/%d/cgroup", (int)pid);
    FILE *file = open_under(root, path);
    while (file && !found && fgets(line, sizeof line, file)) {
        char *controllers = strchr(line, ':'), *name = controllers ? strchr(controllers + 1, ':') : NULL;
        if (!name)
            continue;
        *name = '\0';
        found = is_v2 ? controllers[1] == '\0' : list_has(controllers + 1, "cpu");
        snprintf(group, PATH_MAX, "%.*s", (int)strcspn(name + 1, "\n"), name + 1);
    }
    if (file)
        fclose(file);
    return found;
}

static bool find_mount(const char *root, bool is_v2, struct mounted *mounted)
{
    char line[4 * PATH_MAX], type[64], options[PATH_MAX];
    bool found = false;
    FILE *file = open_under(root, "/proc/self/mountinfo");
    mounted->is_v2 = is_v2;
    while (file && !found && fgets(line, sizeof line, file)) {
        const char *rest = strstr(line, " - ");
        if (!rest || sscanf(line, "%*s %*s %*s %4095s %4095s", mounted->from, mounted->at) != 2 ||
            sscanf(rest, " - %63s %*s %4095s", type, options) != 2)
            continue;
        found =
            is_v2 ? strcmp(type, "cgroup2") == 0 : strcmp(type, "cgroup") == 0 && list_has(options, "cpu");
    }
    if (file)
        fclose(file);
    return found;
}

/* In cores; 0: none. */
static double read_limit(const char *folder, bool is_v2)
{
    double quota = 0, period = 0;
    if (is_v2) {
        FILE *file = open_under(folder, "/cpu.max");
        if (file && fscanf(file, "%lf %lf", &quota, &period) != 2)
            quota = 0;
        if (file)
            fclose(file);
    } else {
        static const char *const names[] = {"/cpu.cfs_quota_us", "/cpu.cfs_period_us"};
        double *const numbers[] = {&quota, &period};
        for (int i = 0; i < 2; i++) {
            FILE *file = open_under(folder, names[i]);
            if (file && fscanf(file, "%lf", numbers[i]) != 1)
                *numbers[i] = 0;
            if (file)
                fclose(file);
        }
    }
    return quota > 0 && period > 0 ? quota / period : 0;
}

/* From the group upwards to where groups are mounted. */
static void find_strictest(const char *top, const char *group, bool is_v2, struct quota *quota)
{
    char folder[3 * PATH_MAX];
    size_t least = strlen(top);
    snprintf(folder, sizeof folder, "%s%s", top, strcmp(group, "/") == 0 ? "" : group);
    for (;;) {
        double cores = read_limit(folder, is_v2);
        if (cores > 0 && (quota->cores == 0 || cores < quota->cores) && strlen(folder) < PATH_MAX) {
            quota->cores = cores;
            strcpy(quota->folder, folder);
        }
        char *slash = strrchr(folder, '/');
        if (strlen(folder) <= least || !slash)
            return;
        *slash = '\0';
    }
}

struct quota quota_find(const char *root, pid_t pid)
{
    struct quota quota = {0, ""};
    for (int is_v2 = 0; is_v2 < 2; is_v2++) {
        struct mounted mounted;
        char group[PATH_MAX], top[2 * PATH_MAX];
        if (!find_group(root, pid, is_v2, group) || !find_mount(root, is_v2, &mounted))
            continue;
        /* In a container the mount begins at the container's own group, and so may the name. */
        size_t length = strlen(mounted.from);
        bool is_below = length > 1 && strncmp(group, mounted.from, length) == 0;
        bool is_outside = strncmp(group, "/..", 3) == 0;
        snprintf(top, sizeof top, "%s%s", root, mounted.at);
        find_strictest(top, is_outside ? "/" : is_below ? group + length : group, is_v2, &quota);
    }
    return quota;
}

struct quota_use quota_read(const struct quota *quota)
{
    struct quota_use use = {0, 0};
    char name[32];
    uint64_t number;
    FILE *file = quota->cores > 0 ? open_under(quota->folder, "/cpu.stat") : NULL;
    while (file && fscanf(file, "%31s %" SCNu64, name, &number) == 2) {
        if (strcmp(name, "nr_periods") == 0)
            use.periods = number;
        else if (strcmp(name, "nr_throttled") == 0)
            use.throttled = number;
    }
    if (file)
        fclose(file);
    return use;
}
