#include "stats/waits/awaits.h"

#include "base/array.h"
#include "stats/input/target_key.h"

#include <errno.h>

void awaits_release(struct awaits *awaits)
{
    for (size_t i = 0; i < awaits->keys.count && i < awaits->capacity; i++)
        free(awaits->locations[i].waits);
    free(awaits->locations);
    names_release(&awaits->keys);
}

static struct awaits_location *find_location(struct awaits *awaits, const char *kind, const char *location)
{
    long id = target_key_add(&awaits->keys, kind, location);
    struct awaits_location *locations =
        id < 0 ? NULL : array_zeroed(awaits->locations, &awaits->capacity, (size_t)id + 1, sizeof *locations);
    if (!locations)
        return NULL;
    awaits->locations = locations;
    return &locations[id];
}

int awaits_add_samples(struct awaits *awaits, const char *kind, const char *location, uint64_t cpu_ns)
{
    struct awaits_location *there = find_location(awaits, kind, location);
    if (!there)
        return -ENOMEM;
    there->cpu_ns += cpu_ns;
    return 0;
}

int awaits_add(struct awaits *awaits, const char *kind, const char *location, long wait, uint64_t time_ns)
{
    struct awaits_location *there = find_location(awaits, kind, location);
    if (!there)
        return -ENOMEM;
    for (size_t i = 0; i < there->count; i++)
        if (there->waits[i].wait == wait) {
            there->waits[i].time_ns += time_ns;
            return 0;
        }
    struct awaited *waits =
        array_zeroed(there->waits, &there->capacity, there->count + 1, sizeof *there->waits);
    if (!waits)
        return -ENOMEM;
    there->waits = waits;
    waits[there->count++] = (struct awaited){wait, time_ns};
    return 0;
}

const struct awaits_location *awaits_of(const struct awaits *awaits, const char *kind, const char *location)
{
    long id = target_key_find(&awaits->keys, kind, location);
    return id < 0 ? NULL : &awaits->locations[id];
}
