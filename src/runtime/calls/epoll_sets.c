#include "runtime/calls/epoll_sets.h"

#include "base/hash.h"
#include "shared/word_set.h"

enum { BUCKETS = 1 << 12, FD_BITS = 24 };

static const uint64_t fd_mask = (1u << FD_BITS) - 1;

/* The upper bits of a word are of the hash, the lower the descriptor. */
static struct segment_words sets[BUCKETS];

static uint64_t hash_watch(int epoll, uint64_t word)
{
    return (hash_mix(word ^ hash_mix((uint64_t)epoll + 1)) | 1ull << 63) & ~fd_mask;
}

void epoll_sets_add(int epoll, uint64_t word, int fd)
{
    if (fd >= 0 && (uint64_t)fd <= fd_mask)
        words_put(sets, BUCKETS, hash_watch(epoll, word) | (uint64_t)fd, ~fd_mask);
}

int epoll_sets_find(int epoll, uint64_t word)
{
    _Atomic uint64_t *place = words_find(sets, BUCKETS, hash_watch(epoll, word), ~fd_mask);
    return place ? (int)(atomic_load_explicit(place, memory_order_relaxed) & fd_mask) : -1;
}
