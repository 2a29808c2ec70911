#include "runtime/thread/idling.h"

#include "base/clock.h"
#include "runtime/core/process.h"
#include "shared/waits.h"

enum {
    TOLD_PART = 20, /* what is less than one part of so many is not told */
    SITES_MOST = 4  /* of those that a sample fell in; functions have one for each frame */
};

void idling_add(struct idling *idling, uint32_t wait, uint64_t ns)
{
    struct idling_place *least = &idling->places[0];
    for (uint32_t i = 0; i < IDLING_PLACES; i++) {
        struct idling_place *place = &idling->places[i];
        if (place->wait == wait + 1) {
            place->ns += ns;
            return;
        }
        if (place->ns < least->ns)
            least = place;
    }
    if (ns >= least->ns)
        *least = (struct idling_place){wait + 1, ns - least->ns};
    else
        least->ns -= ns;
}

void idling_end(const struct idling *idling)
{
    for (uint32_t i = 0; i < IDLING_PLACES; i++)
        if (idling->places[i].wait)
            atomic_store_explicit(&runtime_segment->waits[idling->places[i].wait - 1].matters, 1,
                                  memory_order_relaxed);
}

void idling_sample(const struct idling *idling, const uint32_t *sites, uint32_t count, uint64_t weight_ns,
                   uint64_t now_ns)
{
    uint64_t lived_ns = clock_passed_ns(idling->began_ns, now_ns);
    if (!idling->began_ns || !lived_ns)
        return;
    for (uint32_t i = 0; i < IDLING_PLACES; i++) {
        struct idling_place place = idling->places[i];
        if (!place.wait || place.ns < lived_ns / TOLD_PART)
            continue;
        double part = place.ns < lived_ns ? (double)place.ns / (double)lived_ns : 1;
        for (uint32_t j = 0; j < count && j < SITES_MOST; j++) {
            struct segment_await *await = await_at(runtime_segment, await_key(sites[j], place.wait - 1));
            if (await)
                atomic_fetch_add_explicit(&await->ns, (uint64_t)(part * (double)weight_ns),
                                          memory_order_relaxed);
        }
    }
}
