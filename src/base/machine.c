#include "base/machine.h"

#include "base/clock.h"

#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h> /* getloadavg */
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static uint64_t count_cores(void)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores > 0 ? (uint64_t)cores : 0;
}

/* Of more processors than a cpu_set_t has room for nothing is known; then all are allowed. */
static uint64_t count_allowed(uint64_t cores)
{
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 ? (uint64_t)CPU_COUNT(&set) : cores;
}

unsigned machine_allowed(void)
{
    uint64_t allowed = count_allowed(1);
    return allowed > 0 ? (unsigned)allowed : 1;
}

static void read_model(char model[MACHINE_MODEL])
{
    char line[512];
    FILE *file = fopen("/proc/cpuinfo", "re");
    while (file && !*model && fgets(line, sizeof line, file)) {
        const char *colon = strchr(line, ':');
        if (!colon || strncmp(line, "model name", strlen("model name")) != 0)
            continue;
        const char *text = colon + 1 + strspn(colon + 1, " \t");
        snprintf(model, MACHINE_MODEL, "%.*s", (int)strcspn(text, "\n"), text);
    }
    if (file)
        fclose(file);
}

struct machine machine_describe(void)
{
    struct machine machine = {.cores = count_cores()};
    machine.allowed = count_allowed(machine.cores);
    read_model(machine.model);
    if (getloadavg(&machine.load, 1) != 1)
        machine.load = 0;
    return machine;
}

struct machine_ticks machine_ticks_now(void)
{
    struct machine_ticks ticks = {0, 0, 0};
    uint64_t user, nice, system, idle, wait, interrupt, soft;
    FILE *file = fopen("/proc/stat", "re");
    if (!file)
        return ticks;
    if (fscanf(file,
               "cpu %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64
               " %" SCNu64,
               &user, &nice, &system, &idle, &wait, &interrupt, &soft, &ticks.stolen) == 8) {
        ticks.used = user + nice + system + interrupt + soft;
        ticks.all = ticks.used + idle + wait + ticks.stolen;
    } else {
        ticks.stolen = 0;
    }
    fclose(file);
    return ticks;
}

static double own_cpu_s(void)
{
    double sum = 0;
    for (int i = 0; i < 2; i++) {
        struct rusage usage;
        getrusage(i ? RUSAGE_CHILDREN : RUSAGE_SELF, &usage);
        sum += (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
               (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
    }
    return sum;
}

struct machine_watch machine_watch_begin(void)
{
    return (struct machine_watch){machine_ticks_now(), clock_wall_s(), own_cpu_s()};
}

struct machine_use machine_watch_end(const struct machine_watch *watch)
{
    struct machine_ticks now = machine_ticks_now();
    double tick_s = 1.0 / (double)sysconf(_SC_CLK_TCK);
    double all_s = (clock_wall_s() - watch->began_s) * (double)count_cores();
    double used_s = (double)(now.used - watch->ticks.used) * tick_s - (own_cpu_s() - watch->own_s);
    double stolen_s = ((double)now.stolen - (double)watch->ticks.stolen) * tick_s;
    if (all_s <= 0)
        return (struct machine_use){0, 0};
    return (struct machine_use){used_s > 0 ? used_s / all_s : 0, stolen_s > 0 ? stolen_s / all_s : 0};
}
