#include "experiment/schedule/wait_totals.h"

#include "shared/waits.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>

/* NULL: nothing is in scope there. */
static const char *place_name(const struct target_names *names, uint32_t site, char *buffer, size_t size)
{
    return site && site < names->sites->count ? site_name(names->sites, site, buffer, size) : NULL;
}

static int compare_waits(const void *a, const void *b)
{
    const struct segment_wait *x = *(struct segment_wait *const *)a, *y = *(struct segment_wait *const *)b;
    uint64_t i = atomic_load(&x->ns), j = atomic_load(&y->ns);
    return i < j ? 1 : i > j ? -1 : x < y ? -1 : x > y;
}

static int write_wait(const struct target_names *names, const struct segment_wait *wait, window_sink sink,
                      void *context)
{
    char place[PATH_MAX + 16];
    struct profile_record record = {.type = PROFILE_WAIT};
    record.wait.class = wait_class_name(wait_class_of(wait));
    record.wait.place = place_name(names, wait_site_of(wait), place, sizeof place);
    record.wait.count = atomic_load(&wait->count);
    record.wait.time_ns = atomic_load(&wait->ns);
    record.wait.baseline_ns = atomic_load(&wait->baseline_ns);
    return sink(context, &record);
}

static int write_wake(const struct target_names *names, const struct segment_wake *wake, window_sink sink,
                      void *context)
{
    const struct segment *segment = names->segment;
    uint64_t key = atomic_load(&wake->key);
    char place[PATH_MAX + 16], by[PATH_MAX + 16], after_place[PATH_MAX + 16];
    const struct segment_wait *wait = &segment->waits[wake_wait(key) % SEGMENT_WAITS];
    uint32_t after = wake_after(key);
    struct profile_record record = {.type = PROFILE_WAKE};
    record.wake.class = wait_class_name(wait_class_of(wait));
    record.wake.place = place_name(names, wait_site_of(wait), place, sizeof place);
    record.wake.by = place_name(names, wake_site(key), by, sizeof by);
    if (after && after <= SEGMENT_WAITS) {
        const struct segment_wait *before = &segment->waits[after - 1];
        record.wake.after_class = wait_class_name(wait_class_of(before));
        record.wake.after_place = place_name(names, wait_site_of(before), after_place, sizeof after_place);
    }
    record.wake.count = atomic_load(&wake->count);
    record.wake.time_ns = atomic_load(&wake->ns);
    return record.wake.by ? sink(context, &record) : 0;
}

/* What is a small part of the site's own time explains nothing. */
static int write_await(const struct target_names *names, const struct segment_await *await, window_sink sink,
                       void *context)
{
    static const double least_part = 0.05;
    const struct segment *segment = names->segment;
    uint64_t key = atomic_load(&await->key), ns = atomic_load(&await->ns);
    uint32_t site = wake_site(key);
    const struct segment_wait *wait = &segment->waits[wake_wait(key) % SEGMENT_WAITS];
    char place[PATH_MAX + 16], location[2 * PATH_MAX];
    struct profile_record record = {.type = PROFILE_AWAIT};
    if (site >= target_count(names) ||
        (double)ns < least_part * (double)atomic_load(&segment->sites[site].cpu_ns))
        return 0;
    record.await.location = target_name(names, site, location, sizeof location);
    if (segment->granularity != GRANULARITY_LINE || target_groups_of(names->groups, site))
        record.await.kind = target_kind(names, site);
    record.await.class = wait_class_name(wait_class_of(wait));
    record.await.place = place_name(names, wait_site_of(wait), place, sizeof place);
    record.await.time_ns = ns;
    return sink(context, &record);
}

int wait_totals_write(const struct target_names *names, window_sink sink, void *context)
{
    struct segment *segment = names->segment;
    struct segment_wait **waits = malloc(SEGMENT_WAITS * sizeof *waits);
    size_t count = 0;
    int rc = 0;
    if (!waits)
        return -ENOMEM;
    for (uint32_t i = 0; i < SEGMENT_WAITS; i++)
        if (atomic_load(&segment->waits[i].count))
            waits[count++] = &segment->waits[i];
    qsort(waits, count, sizeof *waits, compare_waits);
    for (size_t i = 0; rc == 0 && i < count; i++)
        rc = write_wait(names, waits[i], sink, context);
    for (uint32_t i = 0; rc == 0 && count > 0 && i < SEGMENT_WAKES; i++)
        if (atomic_load(&segment->wakes[i].count))
            rc = write_wake(names, &segment->wakes[i], sink, context);
    for (uint32_t i = 0; rc == 0 && count > 0 && i < SEGMENT_AWAITS; i++)
        if (atomic_load(&segment->awaits[i].ns))
            rc = write_await(names, &segment->awaits[i], sink, context);
    free(waits);
    return rc;
}
