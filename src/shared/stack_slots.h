/* Stacks of samples: for one sample in so many the code that had called the target's, so that a report can tell who
 * called it. Which stacks there are only samples tell: whoever meets one first gives it a place, in a table that never
 * forgets. Lock free; any process, handlers too. */
#pragma once

#include "base/hash.h"
#include "shared/layout.h"

enum { STACK_PROBES = 16, STACK_EVERY = 16 /* samples */ };

/* A place in a module's code, by its ELF address; of a call it is the call's last byte, and not what it returns to. */
static inline uint64_t stack_frame(uint32_t module, uint32_t address)
{
    return (uint64_t)(module + 1) << 32 | address;
}

static inline uint32_t stack_frame_module(uint64_t frame)
{
    return (uint32_t)(frame >> 32) - 1;
}

static inline uint32_t stack_frame_address(uint64_t frame)
{
    return (uint32_t)frame;
}

static inline uint64_t stack_key(uint32_t site, const uint64_t *frames, uint32_t depth)
{
    uint64_t key = hash_mix(site + 1);
    for (uint32_t i = 0; i < depth; i++)
        key = hash_mix(key + frames[i]);
    return key ? key : 1;
}

/* Counts a sample of the site that had those frames, at least one. */
static inline void stack_count(struct segment *segment, uint32_t site, const uint64_t *frames, uint32_t depth)
{
    uint64_t key = stack_key(site, frames, depth);
    for (uint64_t i = 0; i < STACK_PROBES; i++) {
        struct segment_stack *stack = &segment->stacks[(key + i) % SEGMENT_STACKS];
        uint64_t there = atomic_load_explicit(&stack->key, memory_order_relaxed);
        if (there == 0 && atomic_compare_exchange_strong(&stack->key, &there, key)) {
            for (uint32_t j = 0; j < depth; j++)
                atomic_store_explicit(&stack->frames[j], frames[j], memory_order_relaxed);
            atomic_store_explicit(&stack->site, site, memory_order_relaxed);
            atomic_store_explicit(&stack->depth, depth, memory_order_release);
            there = key;
        }
        if (there != key)
            continue;
        atomic_fetch_add_explicit(&stack->count, 1, memory_order_relaxed);
        return;
    }
    atomic_fetch_add_explicit(&segment->refusals.stacks, 1, memory_order_relaxed);
}
