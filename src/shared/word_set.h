/* A fixed set of words that any thread reads and writes without a lock, in shared memory or not. When a
 * bucket is full, the oldest word in it goes. All functions are async-signal-safe. */
#pragma once

#include "shared/layout.h"

/* Of a word's bits, the upper 24 choose the bucket; 0 is no word. */
static inline struct segment_words *words_bucket(struct segment_words *set, size_t buckets, uint64_t word)
{
    return &set[(word >> 40) % buckets];
}

/* The place of the word that equals this one in the bits of mask, or NULL. */
static inline _Atomic uint64_t *words_find(struct segment_words *set, size_t buckets, uint64_t word,
                                           uint64_t mask)
{
    struct segment_words *bucket = words_bucket(set, buckets, word);
    for (int i = 0; i < SEGMENT_WORDS; i++) {
        uint64_t there = atomic_load_explicit(&bucket->words[i], memory_order_relaxed);
        if (there && ((there ^ word) & mask) == 0)
            return &bucket->words[i];
    }
    return NULL;
}

/* Puts the word where one is that equals it in the bits of mask, or adds it. Returns whether another one had to
 * go for it. */
static inline bool words_put(struct segment_words *set, size_t buckets, uint64_t word, uint64_t mask)
{
    struct segment_words *bucket = words_bucket(set, buckets, word);
    _Atomic uint64_t *place = words_find(set, buckets, word, mask);
    uint64_t number = 0;
    if (!place) {
        number = atomic_fetch_add(&bucket->next, 1);
        place = &bucket->words[number % SEGMENT_WORDS];
    }
    atomic_store(place, word);
    return number >= SEGMENT_WORDS;
}
