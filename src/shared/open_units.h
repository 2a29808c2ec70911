/* Units of work in progress: found by their ids when they end, on whatever thread. A fixed table, in which a unit
 * has the choice of two buckets. When both are full, a unit that began long ago is taken to have been given up, and
 * makes room; without one, the new unit is refused, and counted.
 *
 * A process may die at any instruction, and leaves units that never end. All functions are async-signal-safe, for
 * any thread. */
#pragma once

#include "base/hash.h"
#include "shared/layout.h"

#include <stdbool.h>

#define OPEN_GIVEN_UP_NS 10000000000ull

/* The number of the pair of points with that name, from 1; 0: there is no room for another one. */
static inline uint32_t latency_slot_of(struct segment *segment, const char *name)
{
    uint64_t key = hash_mix(hash_text(name)) | 1;
    for (uint32_t i = 0; i < SEGMENT_LATENCIES; i++) {
        uint64_t there = 0;
        if (atomic_compare_exchange_strong(&segment->latencies[i].key, &there, key) || there == key)
            return i + 1;
    }
    return 0;
}

/* Ids are those of one process, and of one pair of points. */
static inline uint64_t open_unit_key(uint32_t slot, uint64_t process, uint64_t id)
{
    uint64_t key = hash_mix(id ^ hash_mix(process * SEGMENT_LATENCIES + slot));
    return key ? key : 1;
}

struct open_place {
    _Atomic uint64_t *key, *since_ns; /* NULL: there is none */
};

static inline struct segment_open *open_bucket(struct segment *segment, uint64_t key, int choice)
{
    return &segment->open[(choice ? key >> 32 : key) % SEGMENT_OPEN_BUCKETS];
}

/* The place in the key's buckets where `there` stands. */
static inline struct open_place open_place_find(struct segment *segment, uint64_t key, uint64_t there)
{
    for (int choice = 0; choice < 2; choice++) {
        struct segment_open *bucket = open_bucket(segment, key, choice);
        for (int i = 0; i < SEGMENT_OPEN; i++)
            if (atomic_load_explicit(&bucket->keys[i], memory_order_acquire) == there)
                return (struct open_place){&bucket->keys[i], &bucket->since_ns[i]};
    }
    return (struct open_place){NULL, NULL};
}

/* Of the units in the key's buckets, the one that began first, if that is long ago; *key is its own then. */
static inline struct open_place open_place_given_up(struct segment *segment, uint64_t now_ns, uint64_t *key)
{
    struct open_place oldest = {NULL, NULL};
    uint64_t wanted = *key, age_ns = OPEN_GIVEN_UP_NS;
    for (int choice = 0; choice < 2; choice++) {
        struct segment_open *bucket = open_bucket(segment, wanted, choice);
        for (int i = 0; i < SEGMENT_OPEN; i++) {
            uint64_t there = atomic_load(&bucket->keys[i]), since = atomic_load(&bucket->since_ns[i]);
            if (!there || (int64_t)(now_ns - since) < (int64_t)age_ns)
                continue;
            age_ns = now_ns - since;
            oldest = (struct open_place){&bucket->keys[i], &bucket->since_ns[i]};
            *key = there;
        }
    }
    return oldest;
}

/* False: there was no room, or another thread took it. */
static inline bool open_unit_put(struct segment *segment, uint64_t key, uint64_t now_ns)
{
    uint64_t there = 0;
    struct open_place place = open_place_find(segment, key, 0);
    if (!place.key) {
        there = key;
        place = open_place_given_up(segment, now_ns, &there);
    }
    if (!place.key || !atomic_compare_exchange_strong(place.key, &there, key))
        return false;
    atomic_store_explicit(place.since_ns, now_ns, memory_order_release);
    return true;
}

/* The unit begins. One that has the same id, and has not ended, is forgotten. slot: latency_slot_of(). */
static inline void open_unit_begin(struct segment *segment, uint32_t slot, uint64_t key, uint64_t now_ns)
{
    struct segment_latency *latency = &segment->latencies[slot - 1];
    struct open_place place = open_place_find(segment, key, key);
    if (place.key) {
        atomic_store(place.since_ns, now_ns);
    } else {
        for (int tries = 0; tries < 4; tries++)
            if (open_unit_put(segment, key, now_ns))
                return;
    }
    atomic_fetch_add_explicit(&latency->refused, 1, memory_order_relaxed);
}

/* The unit ends: what it took is counted. */
static inline void open_unit_end(struct segment *segment, uint32_t slot, uint64_t key, uint64_t now_ns)
{
    struct segment_latency *latency = &segment->latencies[slot - 1];
    struct open_place place = open_place_find(segment, key, key);
    uint64_t since = place.key ? atomic_exchange(place.since_ns, 0) : 0;
    if (place.key)
        atomic_compare_exchange_strong(place.key, &(uint64_t){key}, 0);
    if (!since) {
        atomic_fetch_add_explicit(&latency->unmatched, 1, memory_order_relaxed);
        return;
    }
    int64_t took = (int64_t)(now_ns - since);
    atomic_fetch_add_explicit(&latency->counts[log_bucket(took > 0 ? (uint64_t)took : 0)], 1,
                              memory_order_relaxed);
}
