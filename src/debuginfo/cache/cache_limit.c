#include "debuginfo/cache/cache_limit.h"

#include <dirent.h>
#include <fcntl.h> /* AT_SYMLINK_NOFOLLOW */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "debuginfo/sets/ranges.h" /* array_reserve */

/* A writer takes seconds at most. */
enum { ABANDONED_S = 3600 };

struct entry {
    char name[256];
    uint64_t size;
    struct timespec used;
};

struct entries {
    struct entry *items;
    size_t count;
    size_t room;
    uint64_t bytes;
};

static int compare_ages(const void *left, const void *right)
{
    const struct timespec *a = &((const struct entry *)left)->used, *b = &((const struct entry *)right)->used;
    if (a->tv_sec != b->tv_sec)
        return a->tv_sec < b->tv_sec ? -1 : 1;
    return (a->tv_nsec > b->tv_nsec) - (a->tv_nsec < b->tv_nsec);
}

static void add_entry(struct entries *entries, DIR *directory, const char *name)
{
    struct stat status;
    if (name[0] == '.' || fstatat(dirfd(directory), name, &status, AT_SYMLINK_NOFOLLOW) ||
        !S_ISREG(status.st_mode))
        return;
    if (strncmp(name, CACHE_TEMPORARY, strlen(CACHE_TEMPORARY)) == 0) {
        if (status.st_mtim.tv_sec + ABANDONED_S < time(NULL))
            unlinkat(dirfd(directory), name, 0);
        return;
    }
    struct entry *items = array_reserve(entries->items, entries->count, &entries->room, sizeof *items);
    if (!items)
        return;
    entries->items = items;
    struct entry *entry = &items[entries->count++];
    *entry = (struct entry){.size = (uint64_t)status.st_size, .used = status.st_mtim};
    memcpy(entry->name, name, strlen(name) + 1);
    entries->bytes += entry->size;
}

void cache_keep_limit(const char *path, uint64_t bytes)
{
    struct entries entries = {0};
    struct dirent *found;
    DIR *directory = opendir(path);
    if (!directory)
        return;
    while ((found = readdir(directory)))
        add_entry(&entries, directory, found->d_name);
    if (entries.bytes > bytes) {
        qsort(entries.items, entries.count, sizeof *entries.items, compare_ages);
        for (size_t i = 0; i < entries.count && entries.bytes > bytes / 4 * 3; i++) {
            unlinkat(dirfd(directory), entries.items[i].name, 0);
            entries.bytes -= entries.items[i].size;
        }
    }
    free(entries.items);
    closedir(directory);
}
