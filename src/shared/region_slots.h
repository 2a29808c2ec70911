/* The slots of regions: one for each name, made as points' are (point_slots.h). Lock free; any thread of either side,
 * handlers too. */
#pragma once

#include "base/hash.h"
#include "shared/layout.h"

#include <string.h>

static inline uint64_t region_slot_key(const char *name)
{
    uint64_t key = 0xcbf29ce484222325ull;
    for (size_t i = 0; name[i] && i < SEGMENT_REGION_NAME - 1; i++)
        key = (key ^ (unsigned char)name[i]) * 0x100000001b3ull; /* FNV-1a */
    return hash_mix(key) | 1;
}

static inline bool region_slot_is_ready(const struct segment_region *region)
{
    return atomic_load(&region->state) == SLOT_READY;
}

/* Whether the slot is this region's; a free one becomes so. Several threads may write the same into it. */
static inline bool region_slot_take(struct segment_region *region, uint64_t key, const char *name)
{
    uint64_t there = atomic_load_explicit(&region->key, memory_order_relaxed);
    if (there != key &&
        (there || (!atomic_compare_exchange_strong(&region->key, &there, key) && there != key)))
        return false;
    if (region_slot_is_ready(region))
        return strncmp(region->name, name, sizeof region->name - 1) == 0;
    strncpy(region->name, name, sizeof region->name - 1);
    atomic_store(&region->state, SLOT_READY);
    return true;
}

/* The region of that name, which may be new. What is beyond its first 127 bytes tells no names apart. NULL: all slots
 * are taken. */
static inline struct segment_region *region_slot_of(struct segment *segment, const char *name)
{
    uint64_t key = region_slot_key(name);
    for (uint64_t i = 0; i < SEGMENT_REGIONS; i++) {
        struct segment_region *region = &segment->regions[(key + i) % SEGMENT_REGIONS];
        if (region_slot_take(region, key, name))
            return region;
    }
    atomic_fetch_add_explicit(&segment->refusals.regions, 1, memory_order_relaxed);
    return NULL;
}

/* The region that is that target; NULL: none. */
static inline struct segment_region *region_slot_of_target(struct segment *segment, uint32_t number)
{
    for (uint32_t i = 0; number && i < SEGMENT_REGIONS; i++)
        if (atomic_load_explicit(&segment->regions[i].target, memory_order_relaxed) == number)
            return &segment->regions[i];
    return NULL;
}
