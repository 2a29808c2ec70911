/* The limit of processor time that a control group has (cgroup v1's cpu.cfs_quota_us, v2's cpu.max), its own or one
 * of those above it: the strictest. */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct quota {
    double cores;          /* 0: there is no limit, or it cannot be read */
    char folder[PATH_MAX]; /* of the group that has it */
};

/* How often the limit was looked at, and had stopped somebody, since the group was made. */
struct quota_use {
    uint64_t periods, throttled;
};

/* Of the process's group; root is put before all paths, "" but in tests. */
struct quota quota_find(const char *root, pid_t pid);

struct quota_use quota_read(const struct quota *quota);
