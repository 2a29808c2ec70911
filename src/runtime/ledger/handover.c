#include "runtime/ledger/handover.h"

#include "base/clock.h"
#include "base/hash.h"
#include "runtime/clock/instant.h"
#include "shared/thread_slots.h"

#include <stdalign.h>

enum {
    PLACES = 1024,
    MOST_WRITERS = 256, /* looking at more of them would take too long */
};

/* The latest of an object; another one that comes to the same place takes it. What is read while somebody writes
 * may be of two wakes that follow each other, which does no harm. */
static struct place {
    alignas(32) _Atomic uintptr_t object; /* on one cache line with the rest */
    _Atomic uint64_t ns, required_ns;
} places[PLACES];

static struct place *place_of(const void *object)
{
    return &places[hash_mix((uintptr_t)object) % PLACES];
}

void handover_note(const void *object, int64_t untold_ns)
{
    struct place *place = place_of(object);
    atomic_store_explicit(&place->object, (uintptr_t)object, memory_order_relaxed);
    atomic_store_explicit(&place->required_ns, required_now() + (uint64_t)untold_ns, memory_order_relaxed);
    atomic_store_explicit(&place->ns, clock_wall_ns(), memory_order_relaxed);
}

void handover_note_bytes(struct segment_thread *slot, int64_t untold_ns)
{
    atomic_store_explicit(&slot->wrote_required_ns, required_now() + (uint64_t)untold_ns,
                          memory_order_relaxed);
    atomic_store_explicit(&slot->wrote_ns, clock_wall_ns(), memory_order_relaxed);
}

bool handover_find(const void *object, uint64_t since_ns, struct handover *found)
{
    const struct place *place = place_of(object);
    found->ns = atomic_load_explicit(&place->ns, memory_order_relaxed);
    found->required_ns = atomic_load_explicit(&place->required_ns, memory_order_relaxed);
    return found->ns > since_ns &&
           atomic_load_explicit(&place->object, memory_order_relaxed) == (uintptr_t)object;
}

bool handover_find_bytes(const struct segment_thread *own, uint64_t since_ns, uint64_t until_ns,
                         struct handover *found)
{
    uint32_t count = thread_slots_end(runtime_segment);
    *found = (struct handover){0, 0};
    if (count > MOST_WRITERS)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        const struct segment_thread *slot = &runtime_segment->thread_slots[i];
        uint64_t ns = atomic_load_explicit(&slot->wrote_ns, memory_order_relaxed);
        if (slot == own || ns <= since_ns || ns > until_ns || ns < found->ns)
            continue;
        found->ns = ns;
        found->required_ns = atomic_load_explicit(&slot->wrote_required_ns, memory_order_relaxed);
    }
    return found->ns != 0;
}
