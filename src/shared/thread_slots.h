/* The slots of threads: one for each that lives, of whatever process of the tree. Who has a slot stands in one
 * word, so that taking and giving back a slot are one step each, between which nobody can be killed: the
 * thread's number, its process's, the tag that both have in common (segment_number()), and a turn, which
 * every claim changes. Who finds a slot whose owner is gone may free it, whatever process he is: if it was
 * freed and taken again meanwhile, the word is another one, even for an owner of the same number.
 *
 * All functions are async-signal-safe, for any thread of either side. */
#pragma once

#include "base/clock.h"
#include "shared/layout.h"

enum {
    THREAD_SLOT_PID_SHIFT = SEGMENT_PID_BITS,
    THREAD_SLOT_TAG_SHIFT = 2 * SEGMENT_PID_BITS,
    THREAD_SLOT_TURN_SHIFT = SEGMENT_PID_BITS + 31,
};

#define THREAD_SLOT_TURN (1ull << THREAD_SLOT_TURN_SHIFT)

/* ---- the word ---- */

static inline bool thread_slot_is_taken(uint64_t owner)
{
    return owner & (THREAD_SLOT_TURN - 1);
}

static inline uint32_t thread_slot_tag(uint64_t owner)
{
    return (uint32_t)(owner >> THREAD_SLOT_TAG_SHIFT) & SEGMENT_PID_TAGS;
}

/* The thread's number, and its process's; 0 of a free slot. */
static inline uint32_t thread_slot_tid(uint64_t owner)
{
    return segment_number(segment_number_pid((uint32_t)owner), thread_slot_tag(owner));
}

static inline uint32_t thread_slot_pid(uint64_t owner)
{
    return segment_number(segment_number_pid((uint32_t)(owner >> THREAD_SLOT_PID_SHIFT)),
                          thread_slot_tag(owner));
}

/* The word of a thread of that number, of that process, without a turn. */
static inline uint64_t thread_slot_word(uint32_t tid, uint32_t pid)
{
    return (uint64_t)segment_number_pid(tid) | (uint64_t)segment_number_pid(pid) << THREAD_SLOT_PID_SHIFT |
           (uint64_t)segment_number_tag(tid) << THREAD_SLOT_TAG_SHIFT;
}

static inline uint64_t thread_slot_owner(const struct segment_thread *slot)
{
    return atomic_load(&slot->owner);
}

/* ---- one slot ---- */

/* For a thread of that number, of that process. The search begins at the lowest slot that was free lately: the
 * first look nearly always finds one, and no more slots are ever touched than threads lived at once. NULL:
 * all are taken. */
static inline struct segment_thread *thread_slot_claim(struct segment *segment, uint32_t tid, uint32_t pid)
{
    uint64_t body = thread_slot_word(tid, pid);
    uint32_t start = atomic_load_explicit(&segment->thread_hint, memory_order_relaxed);
    for (uint32_t i = 0; i < SEGMENT_THREADS; i++) {
        uint32_t index = (start + i) % SEGMENT_THREADS;
        struct segment_thread *slot = &segment->thread_slots[index];
        uint64_t before = atomic_load_explicit(&slot->owner, memory_order_relaxed);
        if (thread_slot_is_taken(before) ||
            !atomic_compare_exchange_strong(&slot->owner, &before, body | (before + THREAD_SLOT_TURN)))
            continue;
        atomic_store_explicit(&segment->thread_hint, index + 1, memory_order_relaxed);
        uint32_t used = atomic_load_explicit(&segment->thread_slots_used, memory_order_relaxed);
        while (used <= index && !atomic_compare_exchange_weak(&segment->thread_slots_used, &used, index + 1))
            ;
        return slot;
    }
    atomic_fetch_add_explicit(&segment->refusals.threads, 1, memory_order_relaxed);
    return NULL;
}

/* Frees the slot, if that is still its owner, whose life is over. False: it was freed already. */
static inline bool thread_slot_release(struct segment *segment, struct segment_thread *slot, uint64_t owner)
{
    uint64_t began_ns = atomic_load_explicit(&slot->began_ns, memory_order_relaxed);
    if (!thread_slot_is_taken(owner) ||
        !atomic_compare_exchange_strong(&slot->owner, &owner, owner & ~(THREAD_SLOT_TURN - 1)))
        return false;
    if (began_ns)
        atomic_fetch_add_explicit(&segment->lived_ns, clock_passed_ns(began_ns, clock_wall_ns()),
                                  memory_order_relaxed);
    uint32_t index = (uint32_t)(slot - segment->thread_slots);
    uint32_t hint = atomic_load_explicit(&segment->thread_hint, memory_order_relaxed);
    while (index < hint && !atomic_compare_exchange_weak(&segment->thread_hint, &hint, index))
        ;
    return true;
}

/* No slot from this index on was ever taken. Any process of the tree can write that number, so it is not
 * believed beyond the last slot. */
static inline uint32_t thread_slots_end(const struct segment *segment)
{
    uint32_t used = atomic_load_explicit(&segment->thread_slots_used, memory_order_relaxed);
    return used < SEGMENT_THREADS ? used : SEGMENT_THREADS;
}

/* ---- those of a process ---- */

/* The next slot from *index on that is a thread's of that process; NULL: there is none. *index is then the one
 * after it, *owner its word. */
static inline struct segment_thread *thread_slots_next_of(struct segment *segment, uint32_t pid,
                                                          uint32_t *index, uint64_t *owner)
{
    uint32_t used = thread_slots_end(segment);
    while (*index < used) {
        struct segment_thread *slot = &segment->thread_slots[(*index)++];
        *owner = thread_slot_owner(slot);
        if (thread_slot_is_taken(*owner) && thread_slot_pid(*owner) == pid)
            return slot;
    }
    return NULL;
}

static inline bool thread_slots_has_process(struct segment *segment, uint32_t pid)
{
    uint32_t index = 0;
    uint64_t owner;
    return thread_slots_next_of(segment, pid, &index, &owner) != NULL;
}

/* Frees all slots of the process, of which no thread has one: its threads are those of a program that it has
 * executed away, or of a process that had its number before. */
static inline void thread_slots_release_of(struct segment *segment, uint32_t pid)
{
    uint32_t index = 0;
    uint64_t owner;
    for (struct segment_thread *slot; (slot = thread_slots_next_of(segment, pid, &index, &owner));)
        thread_slot_release(segment, slot, owner);
}

/* How many are taken. */
static inline uint32_t thread_slots_count(const struct segment *segment)
{
    uint32_t used = thread_slots_end(segment), count = 0;
    for (uint32_t i = 0; i < used; i++)
        count += thread_slot_is_taken(thread_slot_owner(&segment->thread_slots[i]));
    return count;
}
