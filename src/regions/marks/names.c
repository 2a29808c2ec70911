#include "regions/marks/names.h"

#include "base/hash.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { BUCKETS = 1024 };

/* Read without the lock: what is in them is complete, and only grows. Written under it. */
static struct region *buckets[BUCKETS];
static struct region *regions[REGION_LIMIT];
static size_t count, refused;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct region *find(const char *name, uint64_t hash)
{
    struct region *region = __atomic_load_n(&buckets[hash % BUCKETS], __ATOMIC_ACQUIRE);
    while (region && (region->hash != hash || strcmp(region->name, name) != 0))
        region = region->next;
    return region;
}

/* Under the lock. */
static struct region *make(const char *name, uint64_t hash)
{
    size_t size = strlen(name) + 1;
    struct region *region = count < REGION_LIMIT ? malloc(sizeof *region + size) : NULL;
    if (!region) {
        __atomic_store_n(&refused, refused + 1, __ATOMIC_RELAXED);
        return NULL;
    }
    char *copy = (char *)(region + 1);
    memcpy(copy, name, size);
    *region =
        (struct region){.name = copy, .id = (uint32_t)count, .hash = hash, .next = buckets[hash % BUCKETS]};
    regions[count] = region;
    __atomic_store_n(&count, count + 1, __ATOMIC_RELEASE);
    __atomic_store_n(&buckets[hash % BUCKETS], region, __ATOMIC_RELEASE);
    return region;
}

struct region *region_named(const char *name)
{
    uint64_t hash = hash_text(name);
    struct region *region = find(name, hash);
    if (region)
        return region;
    pthread_mutex_lock(&lock);
    region = find(name, hash);
    if (!region)
        region = make(name, hash);
    pthread_mutex_unlock(&lock);
    return region;
}

size_t region_count(void)
{
    return __atomic_load_n(&count, __ATOMIC_ACQUIRE);
}

struct region *region_at(size_t id)
{
    return regions[id];
}

size_t region_names_refused(void)
{
    return __atomic_load_n(&refused, __ATOMIC_RELAXED);
}
