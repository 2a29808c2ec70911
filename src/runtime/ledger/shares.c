#include "runtime/ledger/shares.h"

#include "base/hash.h"

#include <stdatomic.h>
#include <stddef.h>

enum {
    PLACES = 1 << 13,
    PROBES = 8,
    MEMORY = 512, /* samples after which older ones count half: a program has phases */
    KNOWN = 8,    /* samples of stretches from a place */
    ANYWHERE = 1, /* as a place to go to */
};

/* The samples of all stretches between two places, while `key`'s target was the target. */
struct place {
    _Atomic uint64_t key; /* 0: free */
    _Atomic uint32_t samples, hits, after_hits, hits_again;
};

static struct place places[PLACES];

/* from and to are 0 for all stretches of a target together. */
static struct place *place_of(uint32_t target, uintptr_t from, uintptr_t to)
{
    uint64_t key = hash_mix(hash_mix(from ^ (uint64_t)target << 48) + to) | 1;
    for (uint64_t i = 0; i < PROBES; i++) {
        struct place *place = &places[(key / 2 + i) % PLACES];
        uint64_t there = atomic_load_explicit(&place->key, memory_order_relaxed);
        if (there == key || (there == 0 && atomic_compare_exchange_strong(&place->key, &there, key)) ||
            there == key)
            return place;
    }
    return NULL;
}

void evidence_add(struct evidence *evidence, bool hit, bool *last)
{
    if (evidence->samples && *last) {
        evidence->after_hits++;
        evidence->hits_again += hit;
    }
    evidence->samples++;
    evidence->hits += hit;
    *last = hit;
}

/* The count with what is added. */
static uint32_t count_add(_Atomic uint32_t *count, uint32_t more)
{
    return atomic_fetch_add_explicit(count, more, memory_order_relaxed) + more;
}

static void count_halve(_Atomic uint32_t *count, uint32_t value)
{
    atomic_fetch_sub_explicit(count, value / 2, memory_order_relaxed);
}

static void place_learn(struct place *place, const struct evidence *own)
{
    if (!place)
        return;
    struct evidence all = {count_add(&place->samples, own->samples), count_add(&place->hits, own->hits),
                           count_add(&place->after_hits, own->after_hits),
                           count_add(&place->hits_again, own->hits_again)};
    if (all.samples < MEMORY)
        return;
    count_halve(&place->samples, all.samples);
    count_halve(&place->hits, all.hits);
    count_halve(&place->after_hits, all.after_hits);
    count_halve(&place->hits_again, all.hits_again);
}

void shares_learn(uint32_t target, uintptr_t from, uintptr_t to, const struct evidence *own)
{
    if (!own->samples)
        return;
    place_learn(place_of(target, 0, 0), own);
    place_learn(place_of(target, from, to), own);
    place_learn(place_of(target, from, ANYWHERE), own);
}

static uint32_t count_load(const _Atomic uint32_t *count)
{
    return atomic_load_explicit(count, memory_order_relaxed);
}

static double share_of(const struct place *place, double otherwise)
{
    return place ? (count_load(&place->hits) + otherwise) / (count_load(&place->samples) + 1.0) : otherwise;
}

/* How many samples what is known of the place weighs, beside a stretch's own. Let the share differ from
 * stretch to stretch by a beta distribution of weight W and mean p: right after a hit the next sample is one
 * with probability (p W + 1) / (W + 1), from which W follows. Stretches that are all alike: the own samples
 * say nothing new. Two kinds, one all in the target and one all outside (a library that starts every thread
 * by the same routine): they say all. */
static double weight_of(const struct place *place, double share)
{
    enum { LARGEST = 1000 };
    if (!place)
        return LARGEST;
    double again = (count_load(&place->hits_again) + share) / (count_load(&place->after_hits) + 1.0);
    if (again - share < (1 - share) / LARGEST)
        return LARGEST;
    return (1 - share) / (again - share) - 1;
}

static double posterior_mean(double share, double weight, const struct evidence *own)
{
    double all = own->samples + weight;
    return all > 0 ? (own->hits + weight * share) / all : share;
}

double share_between(uint32_t target, uintptr_t from, uintptr_t to, const struct evidence *own)
{
    const struct place *place = place_of(target, from, to);
    double share = share_of(place, share_of(place_of(target, 0, 0), 0));
    return posterior_mean(share, weight_of(place, share), own);
}

double share_so_far(uint32_t target, uintptr_t from, const struct evidence *own)
{
    const struct place *place = place_of(target, from, ANYWHERE);
    if (!place || count_load(&place->samples) < KNOWN)
        return -1;
    double share = share_of(place, 0), weight = weight_of(place, share);
    return own->samples || weight >= 1 ? posterior_mean(share, weight, own) : -1;
}
