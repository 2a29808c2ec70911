#include "experiment/breakpoints/families.h"

#include <errno.h>
#include <linux/futex.h>
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

struct families *families_new(struct segment *segment)
{
    struct families *families = calloc(1, sizeof *families);
    if (families)
        families->segment = segment;
    return families;
}

static struct segment_breakpoints *all_of(const struct families *families)
{
    return &families->segment->breakpoints;
}

/* ---- taking over */

static int take_one(int process, int number)
{
    return number < 0 ? -1 : (int)syscall(SYS_pidfd_getfd, process, number, 0);
}

static void close_one(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

static void close_events(struct family_events *events)
{
    for (int i = 0; i < SEGMENT_BREAKPOINTS; i++) {
        close_one(&events->counters[i]);
        close_one(&events->alarms[i]);
    }
    close_one(&events->life);
    events->is_held = false;
}

static bool take_events(struct family_events *events, const struct segment_family *family)
{
    uint32_t pid = atomic_load(&family->pid);
    int process = segment_number_tag(pid) ? -1 : (int)syscall(SYS_pidfd_open, pid, 0);
    bool ok = process >= 0;
    events->is_held = ok;
    for (int i = 0; i < SEGMENT_BREAKPOINTS; i++) {
        events->counters[i] = ok ? take_one(process, family->counters[i]) : -1;
        events->alarms[i] = ok ? take_one(process, family->alarms[i]) : -1;
        ok = ok && (family->counters[i] < 0) == (events->counters[i] < 0) &&
             (family->alarms[i] < 0) == (events->alarms[i] < 0);
    }
    events->life = ok ? take_one(process, family->life) : -1;
    ok = ok && events->life >= 0;
    int saved = errno;
    if (!ok)
        close_events(events);
    if (process >= 0)
        close(process);
    errno = saved;
    return ok;
}

/* It goes on, whether or not we have its events. */
static void let_go_on(struct segment_family *family)
{
    atomic_store(&family->state, FAMILY_SERVED);
    syscall(SYS_futex, &family->state, FUTEX_WAKE, 1, NULL, NULL, 0);
}

static void take_family(struct families *families, uint32_t index)
{
    struct segment_family *family = &all_of(families)->families[index];
    if (take_events(&families->events[index], family))
        families->held++;
    else
        atomic_store(&all_of(families)->lost, (uint32_t)errno);
    let_go_on(family);
}

/* ---- counting */

static void publish_counter(struct families *families, uint32_t index, uint32_t i)
{
    struct segment_breakpoints *all = all_of(families);
    struct segment_family *family = &all->families[index];
    uint64_t value = 0, known = atomic_load(&family->published[i]);
    int fd = families->events[index].counters[i];
    if (fd < 0 || read(fd, &value, sizeof value) != sizeof value)
        return;
    while (known < value && !atomic_compare_exchange_weak(&family->published[i], &known, value))
        ;
    if (known < value)
        atomic_fetch_add(&families->segment->points[all->items[i].point].count, value - known);
}

/* Ends of latencies first: read in the other order, a unit that comes and goes between two counters would count as
 * minus one in progress. */
static void publish_family(struct families *families, uint32_t index)
{
    struct segment_breakpoints *all = all_of(families);
    for (int ends = 1; ends >= 0; ends--)
        for (uint32_t i = 0; i < all->count; i++)
            if (ends == (families->segment->points[all->items[i].point].type == POINT_END))
                publish_counter(families, index, i);
}

void families_publish(struct families *families)
{
    for (uint32_t i = 0; families->held && i < SEGMENT_FAMILIES; i++)
        if (families->events[i].is_held)
            publish_family(families, i);
}

/* Nobody is left who could visit. */
static bool has_ended(const struct family_events *events)
{
    struct pollfd life = {.fd = events->life, .events = POLLIN};
    return poll(&life, 1, 0) > 0 && life.revents & POLLHUP;
}

static void let_go(struct families *families, uint32_t index)
{
    close_events(&families->events[index]);
    families->held--;
    atomic_store(&all_of(families)->families[index].pid, 0);
}

void families_serve(struct families *families)
{
    struct segment_breakpoints *all = all_of(families);
    for (uint32_t i = 0; i < SEGMENT_FAMILIES; i++) {
        struct family_events *events = &families->events[i];
        if (events->is_held) {
            bool ended = has_ended(events);
            publish_family(families, i);
            if (ended)
                let_go(families, i);
        } else if (atomic_load(&all->families[i].pid) &&
                   atomic_load(&all->families[i].state) == FAMILY_OPEN) {
            take_family(families, i);
        }
    }
}

/* ---- alarms */

static void set_alarm(int fd, uint64_t address)
{
    struct perf_event_attr attr = {
        .type = PERF_TYPE_BREAKPOINT,
        .size = sizeof attr,
        .bp_type = HW_BREAKPOINT_X,
        .bp_addr = address,
        .bp_len = sizeof(long),
        .inherit = 1,
        .pinned = 1,
        .remove_on_exec = 1,
        .exclude_kernel = 1,
        .exclude_hv = 1,
        .sample_period = 1,
        .sigtrap = 1,
        .sig_data = SEGMENT_ALARM_DATA,
    };
    ioctl(fd, PERF_EVENT_IOC_MODIFY_ATTRIBUTES, &attr);
}

void families_alarm(struct families *families, uint32_t point)
{
    struct segment_breakpoints *all = all_of(families);
    if (!families->segment->points[point].is_breakpoint ||
        !atomic_load(&families->segment->points[point].precise))
        return;
    for (uint32_t f = 0; families->held && f < SEGMENT_FAMILIES; f++) {
        const struct family_events *events = &families->events[f];
        uint32_t alarm = 0;
        for (uint32_t i = 0; events->is_held && i < all->count && alarm < all->alarms; i++)
            if (all->items[i].point == point && all->families[f].addresses[i] && events->alarms[alarm] >= 0)
                set_alarm(events->alarms[alarm++], all->families[f].addresses[i]);
    }
}

void families_silence(struct families *families)
{
    for (uint32_t f = 0; families->held && f < SEGMENT_FAMILIES; f++)
        for (uint32_t i = 0; families->events[f].is_held && i < SEGMENT_BREAKPOINTS; i++)
            if (families->events[f].alarms[i] >= 0)
                ioctl(families->events[f].alarms[i], PERF_EVENT_IOC_DISABLE, 0);
}

void families_free(struct families *families)
{
    if (!families)
        return;
    for (uint32_t i = 0; i < SEGMENT_FAMILIES; i++)
        if (families->events[i].is_held)
            close_events(&families->events[i]);
    free(families);
}
