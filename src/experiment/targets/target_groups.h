/* Groups: several sites that are one target together, as the lines of a file, threads whose names match a
 * pattern, or two lines at once. The runtime is told by a bit of each site (shared/layout.h). For the
 * controller's thread. */
#pragma once

#include "debuginfo/names/site.h"
#include "shared/layout.h"

/* The kinds of groups, as profiles have them. */
#define GROUP_KIND_FILE "file"
#define GROUP_KIND_THREAD "thread"
#define GROUP_KIND_TOGETHER "together"
#define GROUP_BETWEEN " + " /* between the names of its members */

struct target_group {
    char *name; /* owned */
    const char *kind;
    uint32_t target; /* its own number */
};

/* The lines of files that match belong to the group. */
struct group_files {
    char *pattern; /* owned */
    uint32_t group;
};

struct target_groups {
    struct target_group items[SEGMENT_GROUPS];
    uint32_t count;
    struct group_files files[SEGMENT_PATTERNS];
    uint32_t file_count;
    uint32_t looked; /* sites below were compared with these */
};

void target_groups_release(struct target_groups *groups);

/* A new group without members; its index, or -ENOSPC, or -ENOMEM. Where targets are lines, functions or files its
 * number is a new site's. */
int target_groups_add(struct target_groups *groups, struct segment *segment, struct site_set *sites,
                      const char *name, const char *kind);

/* The group of that number; NULL: it is that of no group. */
const struct target_group *target_groups_of(const struct target_groups *groups, uint32_t target);
/* The number of the group of that name, 0: there is none. */
uint32_t target_groups_find(const struct target_groups *groups, const char *name);

/* Members: a site; the lines of files that match; threads. -ENOSPC when there are too many patterns. */
void target_groups_add_site(struct segment *segment, uint32_t group, uint32_t site);
int target_groups_add_files(struct target_groups *groups, uint32_t group, const char *pattern);
int target_groups_add_threads(struct segment *segment, uint32_t group, const char *pattern);

/* Looks for lines of such files among the sites that are new since the last look. */
void target_groups_look(struct target_groups *groups, struct segment *segment, const struct site_set *sites);

/* Whether one of the sites is in the group. */
bool target_groups_has_any(const struct segment *segment, const struct site_set *sites, uint32_t group);
