#include "experiment/targets/region_targets.h"

#include "shared/region_slots.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

/* Calls and threads have numbers of their own, and no sites. */
static bool has_sites(const struct segment *segment)
{
    return segment->granularity != GRANULARITY_CALLSITE && segment->granularity != GRANULARITY_THREAD;
}

/* What it was before it had a number, or while it was given one, counts, too. */
static void count_all(struct segment *segment, const struct segment_region *region, uint32_t number)
{
    struct segment_site *site = &segment->sites[number];
    atomic_store(&site->count, atomic_load(&region->count));
    atomic_store(&site->cpu_ns, atomic_load(&region->ns));
    atomic_store(&site->baseline_ns, atomic_load(&region->baseline_ns));
}

static int give_number(struct segment_region *region, struct site_set *sites, struct segment *segment,
                       struct targets *targets, bool is_fixed)
{
    char name[SEGMENT_REGION_NAME + 16];
    if (atomic_load(&region->target))
        return 0;
    snprintf(name, sizeof name, "region:%s", region->name);
    uint32_t number = site_intern(sites, name, 0);
    if (!number || targets_add_beside(targets, number, BESIDE_REGION, sites->count))
        return -ENOMEM;
    count_all(segment, region, number);
    atomic_store(&region->target, number);
    if (is_fixed)
        targets_fix(targets, number);
    return 0;
}

int region_targets_resolve(const struct region_targets *regions, struct segment *segment,
                           struct targets *targets, struct coz_error *err)
{
    if ((regions->only || regions->count) && !has_sites(segment))
        return error_set(err, EINVAL,
                         "--target region%s%s: regions are targets beside lines, functions or files, and not "
                         "beside call sites or threads",
                         regions->count ? ":" : "", regions->count ? regions->wanted[0] : "");
    targets->only_fixed |= regions->only || regions->count > 0;
    for (size_t i = 0; i < regions->count; i++)
        if (!region_slot_of(segment, regions->wanted[i]))
            return error_set(err, ENOMEM, "out of memory");
    return 0;
}

static bool is_wanted(const struct region_targets *regions, struct segment *segment,
                      const struct segment_region *region)
{
    for (size_t i = 0; i < regions->count; i++)
        if (region_slot_of(segment, regions->wanted[i]) == region)
            return true;
    return false;
}

void region_targets_look(const struct region_targets *regions, struct site_set *sites,
                         struct segment *segment, struct targets *targets)
{
    if (!has_sites(segment))
        return;
    for (uint32_t i = 0; i < SEGMENT_REGIONS; i++) {
        struct segment_region *region = &segment->regions[i];
        if (!region_slot_is_ready(region))
            continue;
        bool is_entered = atomic_load(&region->count) > 0 && is_wanted(regions, segment, region);
        if (is_entered || regions->only || regions->beside)
            give_number(region, sites, segment, targets, is_entered || regions->only);
    }
}

void region_targets_end(const struct region_targets *regions, struct site_set *sites, struct segment *segment,
                        struct targets *targets)
{
    region_targets_look(regions, sites, segment, targets);
    for (uint32_t i = 0; i < SEGMENT_REGIONS; i++) {
        const struct segment_region *region = &segment->regions[i];
        uint32_t number = atomic_load(&region->target);
        if (number)
            count_all(segment, region, number);
    }
}

const char *region_targets_missing(const struct region_targets *regions, struct segment *segment)
{
    for (size_t i = 0; i < regions->count; i++) {
        const struct segment_region *region = region_slot_of(segment, regions->wanted[i]);
        if (!region || !atomic_load(&region->count))
            return regions->wanted[i];
    }
    for (uint32_t i = 0; regions->only && i < SEGMENT_REGIONS; i++)
        if (atomic_load(&segment->regions[i].count))
            return NULL;
    return regions->only ? "" : NULL;
}

void region_targets_entered(const struct segment *segment, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (uint32_t i = 0; i < SEGMENT_REGIONS; i++) {
        const struct segment_region *region = &segment->regions[i];
        const char *apart = used ? ", " : "";
        if (!atomic_load(&region->count) || used + strlen(apart) + strlen(region->name) >= size)
            continue;
        used += (size_t)snprintf(text + used, size - used, "%s%s", apart, region->name);
    }
}

bool region_targets_unpaired(const struct segment *segment, char *text, size_t size)
{
    for (uint32_t i = 0; i < SEGMENT_REGIONS; i++) {
        const struct segment_region *region = &segment->regions[i];
        uint64_t open = atomic_load(&region->left_open), never = atomic_load(&region->never_begun);
        if (open)
            snprintf(
                text, size,
                "region %.100s: %" PRIu64 " of %" PRIu64
                " entries never came to COZ_REGION_END, and were closed: left by a jump, an exception, a return "
                "or the end of the thread",
                region->name, open, (uint64_t)atomic_load(&region->count));
        else if (never)
            snprintf(text, size,
                     "region %.100s: COZ_REGION_END was passed %" PRIu64
                     " times on a thread that was not in it; that is ignored",
                     region->name, never);
        if (open || never)
            return true;
    }
    return false;
}
