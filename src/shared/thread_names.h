/* Names of threads as targets. Which there are only the program knows, so whoever meets one first gives it a
 * number, in a table that never forgets, and says which groups it is in. Any process, handlers too. */
#pragma once

#include "base/hash.h"
#include "shared/glob.h"
#include "shared/layout.h"

#include <string.h>

enum { THREAD_NAME_BYTES = 16, THREAD_NAME_PROBES = 64 };

/* A name as the kernel keeps it: cut, and with zeroes behind it. */
struct thread_name_text {
    uint64_t words[2];
};

static inline struct thread_name_text thread_name_text(const char *name)
{
    struct thread_name_text text = {{0, 0}};
    memcpy(text.words, name, strnlen(name, THREAD_NAME_BYTES - 1));
    return text;
}

/* Into buffer, of THREAD_NAME_BYTES; "" while there is none of that number. */
static inline const char *thread_name_read(const struct segment *segment, uint32_t number, char *buffer)
{
    const struct segment_thread_name *name = &segment->thread_names[number % SEGMENT_THREAD_NAMES];
    uint64_t words[2] = {atomic_load_explicit(&name->text[0], memory_order_relaxed),
                         atomic_load_explicit(&name->text[1], memory_order_relaxed)};
    memcpy(buffer, words, THREAD_NAME_BYTES);
    buffer[THREAD_NAME_BYTES - 1] = '\0';
    return buffer;
}

static inline bool thread_name_is_ready(const struct segment_thread_name *name)
{
    return atomic_load_explicit(&name->state, memory_order_acquire) == SLOT_READY;
}

static inline uint64_t thread_name_groups(const struct segment *segment, const char *text)
{
    uint64_t groups = 0;
    for (uint32_t i = 0; i < segment->pattern_count && i < SEGMENT_PATTERNS; i++)
        if (glob_matches(segment->patterns[i].text, text))
            groups |= 1ull << segment->patterns[i].group % SEGMENT_GROUPS;
    return groups;
}

/* Its number, not 0; 0 when the table is full. */
static inline uint32_t thread_name_number(struct segment *segment, struct thread_name_text text)
{
    uint64_t key = hash_mix(hash_mix(text.words[0]) + text.words[1]) | 1;
    for (uint32_t i = 0; i < THREAD_NAME_PROBES; i++) {
        uint32_t at = 1 + (uint32_t)((key >> 32) + i) % (SEGMENT_THREAD_NAMES - 1);
        struct segment_thread_name *name = &segment->thread_names[at];
        uint64_t there = atomic_load_explicit(&name->key, memory_order_relaxed);
        if (there != key && (there || !atomic_compare_exchange_strong(&name->key, &there, key)) &&
            there != key)
            continue;
        if (thread_name_is_ready(name))
            return at;
        char buffer[THREAD_NAME_BYTES];
        atomic_store_explicit(&name->text[0], text.words[0], memory_order_relaxed);
        atomic_store_explicit(&name->text[1], text.words[1], memory_order_relaxed);
        memcpy(buffer, text.words, sizeof buffer);
        atomic_store_explicit(&segment->site_groups[at], thread_name_groups(segment, buffer),
                              memory_order_relaxed);
        atomic_store_explicit(&name->state, SLOT_READY, memory_order_release);
        return at;
    }
    atomic_fetch_add_explicit(&segment->refusals.thread_names, 1, memory_order_relaxed);
    return 0;
}
