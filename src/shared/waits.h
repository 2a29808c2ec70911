/* The tables of waits: how long threads waited in hooked calls, by class and place, and who ended that. Written
 * by whoever has waited, read by the controller. Lock free; any thread of either side, handlers too. */
#pragma once

#include "base/hash.h"
#include "shared/layout.h"

enum { WAITS_PROBES = 32, WAIT_COUNTS_NS = 20000 /* shorter ones are none */ };

/* "lock", "condition", "io-read", ..., as people write them. */
static inline const char *wait_class_name(uint32_t class)
{
    static const char *const names[WAIT_CLASSES] = {"none",     "lock",   "condition", "io-read",
                                                    "io-write", "sync",   "poll",      "sleep",
                                                    "child",    "signal", "other",     "queue"};
    return class < WAIT_CLASSES ? names[class] : names[WAIT_NONE];
}

/* Whether a virtual speedup of such waits means something: they end by themselves, by what comes through the
 * kernel, when a lock is handed over, or when a core is free. All else ends when a thread gets there, and that
 * thread's lines are what can be made faster. */
static inline bool wait_class_is_target(uint32_t class)
{
    return class == WAIT_LOCK || class == WAIT_READ || class == WAIT_WRITE || class == WAIT_SYNC ||
           class == WAIT_POLL || class == WAIT_SLEEP || class == WAIT_QUEUE;
}

static inline uint32_t wait_class_of(const struct segment_wait *wait)
{
    return (uint32_t)(atomic_load_explicit(&wait->key, memory_order_relaxed) >> 32);
}

/* 0: in nothing that is in scope. */
static inline uint32_t wait_site_of(const struct segment_wait *wait)
{
    return (uint32_t)atomic_load_explicit(&wait->key, memory_order_relaxed);
}

/* The place of the key (not 0) in a table of so many places of so many bytes, each of which begins with its key; a
 * free one becomes the key's, and *is_new. NULL: there is no room. */
static inline void *waits_place(void *table, uint64_t count, size_t size, uint64_t key, bool *is_new)
{
    uint64_t mixed = hash_mix(key);
    for (uint64_t i = 0; i < WAITS_PROBES; i++) {
        _Atomic uint64_t *place = (void *)((char *)table + (mixed + i) % count * size);
        uint64_t there = atomic_load_explicit(place, memory_order_relaxed);
        *is_new = there == 0 && atomic_compare_exchange_strong(place, &there, key);
        if (*is_new || there == key)
            return (void *)place;
    }
    return NULL;
}

/* The waits of that class (not 0) at that site; NULL when the table is full. */
static inline struct segment_wait *wait_at(struct segment *segment, uint32_t class, uint32_t site)
{
    bool is_new;
    struct segment_wait *wait =
        waits_place(segment->waits, SEGMENT_WAITS, sizeof *wait, (uint64_t) class << 32 | site, &is_new);
    if (!wait)
        atomic_fetch_add_explicit(&segment->refusals.waits, 1, memory_order_relaxed);
    else if (is_new)
        atomic_fetch_add(&segment->waits_used, 1);
    return wait;
}

/* Who waited, who ended it (a site, not 0), and at which place that one had waited meanwhile (one more than its
 * index; 0: it had not). */
enum { WAKE_SITE_BITS = 20, WAKE_PLACE_BITS = 13 };

_Static_assert(SEGMENT_SITES <= 1 << WAKE_SITE_BITS, "a site fits");
_Static_assert(SEGMENT_WAITS < 1 << WAKE_PLACE_BITS, "a place fits");

static inline uint64_t wake_key(uint32_t wait, uint32_t from, uint32_t after)
{
    return (uint64_t)wait << (WAKE_SITE_BITS + WAKE_PLACE_BITS) | (uint64_t)after << WAKE_SITE_BITS | from;
}

static inline uint32_t wake_wait(uint64_t key)
{
    return (uint32_t)(key >> (WAKE_SITE_BITS + WAKE_PLACE_BITS));
}

static inline uint32_t wake_after(uint64_t key)
{
    return (uint32_t)(key >> WAKE_SITE_BITS) & ((1u << WAKE_PLACE_BITS) - 1);
}

static inline uint32_t wake_site(uint64_t key)
{
    return (uint32_t)key & ((1u << WAKE_SITE_BITS) - 1);
}

/* NULL when the table is full. */
static inline struct segment_wake *wake_at(struct segment *segment, uint64_t key)
{
    bool is_new;
    struct segment_wake *wake = waits_place(segment->wakes, SEGMENT_WAKES, sizeof *wake, key, &is_new);
    if (!wake)
        atomic_fetch_add_explicit(&segment->refusals.waits, 1, memory_order_relaxed);
    return wake;
}

/* A site (not 0) and the index of what threads that ran it have waited for: to be taken apart like a wake's. */
static inline uint64_t await_key(uint32_t site, uint32_t wait)
{
    return wake_key(wait, site, 0);
}

/* NULL when the table is full there. */
static inline struct segment_await *await_at(struct segment *segment, uint64_t key)
{
    bool is_new;
    struct segment_await *await = waits_place(segment->awaits, SEGMENT_AWAITS, sizeof *await, key, &is_new);
    if (!await)
        atomic_fetch_add_explicit(&segment->refusals.waits, 1, memory_order_relaxed);
    return await;
}

/* What tells objects apart that threads of one process wait for; 0: none. */
static inline uint32_t wait_object(const void *object)
{
    return object ? (uint32_t)((uintptr_t)object >> 2) | 1u : 0;
}
