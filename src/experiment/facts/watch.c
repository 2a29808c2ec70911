#include "experiment/facts/watch.h"

#include "base/clock.h"
#include "experiment/facts/members.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* "NAME NUMBER", or "NAME: NUMBER kB". */
static uint64_t read_number(const char *path, const char *name)
{
    char line[256];
    uint64_t number = 0;
    size_t length = strlen(name);
    FILE *file = fopen(path, "re");
    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, name, length) == 0 && strchr(": ", line[length])) {
            number = strtoull(line + length + 1, NULL, 10);
            break;
        }
    if (file)
        fclose(file);
    return number;
}

static uint64_t swapped_pages(void)
{
    return read_number("/proc/vmstat", "pswpin");
}

void watch_begin(struct watch *watch, pid_t pid, uint64_t now)
{
    *watch = (struct watch){
        .began_ns = now,
        .ticks = machine_ticks_now(),
        .quota = quota_find("", pid ? pid : getpid()),
        .swapped = swapped_pages(),
    };
    watch->use = quota_read(&watch->quota);
}

/* What the processes of the tree have used of processors, and how long their threads waited for one. */
struct usage {
    double used_s;          /* with that of children that they have waited for */
    double ran_s, queued_s; /* of threads that live */
};

static void add_thread(struct usage *usage, pid_t pid, const char *tid)
{
    char path[64];
    uint64_t ran, queued;
    snprintf(path, sizeof path, "/proc/%d/task/%.20s/schedstat", (int)pid, tid);
    FILE *file = fopen(path, "re");
    if (file && fscanf(file, "%" SCNu64 " %" SCNu64, &ran, &queued) == 2) {
        usage->ran_s += (double)ran * 1e-9;
        usage->queued_s += (double)queued * 1e-9;
    }
    if (file)
        fclose(file);
}

/* A name in brackets may hold anything, brackets too. */
static void add_used(struct usage *usage, pid_t pid, double tick_s)
{
    char path[64], text[1024];
    unsigned long ticks[4];
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    FILE *file = fopen(path, "re");
    size_t length = file ? fread(text, 1, sizeof text - 1, file) : 0;
    text[length] = '\0';
    if (file)
        fclose(file);
    const char *end = strrchr(text, ')');
    if (end && sscanf(end + 1, " %*c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %lu %lu %lu %lu", &ticks[0],
                      &ticks[1], &ticks[2], &ticks[3]) == 4)
        usage->used_s += tick_s * (double)(ticks[0] + ticks[1] + ticks[2] + ticks[3]);
}

static struct usage usage_of(const struct segment *segment, double tick_s)
{
    struct usage usage = {0, 0, 0};
    pid_t pids[MEMBERS];
    int count = members_list(segment, pids);
    for (int i = 0; i < count; i++) {
        char path[64];
        add_used(&usage, pids[i], tick_s);
        snprintf(path, sizeof path, "/proc/%d/task", (int)pids[i]);
        DIR *folder = opendir(path);
        for (struct dirent *entry; folder && (entry = readdir(folder));)
            if (entry->d_name[0] != '.')
                add_thread(&usage, pids[i], entry->d_name);
        if (folder)
            closedir(folder);
    }
    add_used(&usage, getpid(), tick_s);
    return usage;
}

static bool is_swapped(const struct segment *segment)
{
    pid_t pids[MEMBERS];
    char path[64];
    for (int i = members_list(segment, pids); i-- > 0;) {
        snprintf(path, sizeof path, "/proc/%d/status", (int)pids[i]);
        if (read_number(path, "VmSwap") > 0)
            return true;
    }
    return false;
}

static void look_for_quota(struct watch *watch, const struct segment *segment)
{
    pid_t pids[MEMBERS];
    int count = members_list(segment, pids);
    if (watch->quota.cores > 0 || count == 0)
        return;
    watch->quota = quota_find("", pids[count - 1]);
    watch->use = quota_read(&watch->quota);
}

void watch_look(struct watch *watch, const struct segment *segment, uint64_t now, struct machine_facts *facts)
{
    look_for_quota(watch, segment);
    struct machine machine = machine_describe();
    struct machine_ticks ticks = machine_ticks_now();
    struct quota_use use = quota_read(&watch->quota);
    double tick_s = 1.0 / (double)sysconf(_SC_CLK_TCK);
    double all_s = (double)(ticks.all - watch->ticks.all) * tick_s;
    double used_s = (double)(ticks.used - watch->ticks.used) * tick_s;
    uint64_t periods = use.periods - watch->use.periods;
    struct usage usage = usage_of(segment, tick_s);
    facts->watched_s = (double)clock_passed_ns(watch->began_ns, now) * 1e-9;
    facts->cores = (unsigned)(machine.allowed ? machine.allowed : machine.cores);
    facts->quota = watch->quota.cores;
    facts->throttled = periods ? (double)(use.throttled - watch->use.throttled) / (double)periods : 0;
    if (all_s > 0) {
        facts->stolen = (double)(ticks.stolen - watch->ticks.stolen) * tick_s / all_s;
        facts->others = used_s > usage.used_s ? (used_s - usage.used_s) / all_s : 0;
    }
    facts->queued = usage.ran_s > 0 ? usage.queued_s / usage.ran_s : 0;
    if (facts->watched_s > 0)
        facts->swapped_s = (double)(swapped_pages() - watch->swapped) / facts->watched_s;
    facts->swaps = is_swapped(segment);
}

int watch_try_perf(void)
{
    struct perf_event_attr attributes = {
        .type = PERF_TYPE_SOFTWARE,
        .size = sizeof attributes,
        .config = PERF_COUNT_SW_TASK_CLOCK,
        .sample_period = 1000000,
        .exclude_kernel = 1,
        .exclude_hv = 1,
    };
    long fd = syscall(SYS_perf_event_open, &attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
    if (fd < 0)
        return errno;
    close((int)fd);
    return 0;
}
