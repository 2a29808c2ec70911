/* The slots of progress points: one for each name and type. Which point a slot is for stands in one word, so
 * that whoever finds his own there finishes what a process that was killed has begun. Nobody waits for
 * anybody.
 *
 * All functions are async-signal-safe, for any thread of either side. */
#pragma once

#include "base/hash.h"
#include "shared/layout.h"

#include <string.h>

static inline uint64_t point_slot_key(uint32_t type, const char *name)
{
    uint64_t key = type;
    for (size_t i = 0; name[i] && i < SEGMENT_POINT_NAME - 1; i++)
        key = (key ^ (unsigned char)name[i]) * 0x100000001b3ull; /* FNV-1a */
    return hash_mix(key) | 1;
}

/* Whether the slot is this point's; a free one becomes so. Several threads may write the same into it. */
static inline bool point_slot_take(struct segment_point *point, uint64_t key, uint32_t type, const char *name)
{
    uint64_t there = 0;
    if (!atomic_compare_exchange_strong(&point->key, &there, key) && there != key)
        return false;
    if (segment_point_is_ready(point))
        return point->type == type && strncmp(point->name, name, sizeof point->name - 1) == 0;
    point->type = type;
    strncpy(point->name, name, sizeof point->name - 1);
    atomic_store(&point->state, SLOT_READY);
    return true;
}

/* The slot of that point, which may be new; type is an enum segment_point_type. NULL: all slots are taken. */
static inline struct segment_point *point_slot_of(struct segment *segment, uint32_t type, const char *name)
{
    uint64_t key = point_slot_key(type, name);
    for (int i = 0; i < SEGMENT_POINTS; i++)
        if (point_slot_take(&segment->points[i], key, type, name))
            return &segment->points[i];
    atomic_fetch_add_explicit(&segment->refusals.points, 1, memory_order_relaxed);
    return NULL;
}
