#include "runtime/stretch.h"

#include "runtime/pause.h"
#include "runtime/ramp.h"

enum {
    PLACES = 1 << 13,
    PROBES = 8,
    MEMORY = 512, /* samples after which older ones count half: a program has phases */
    GIVE_UP = 64, /* samples without a hit after which a thread is thought to have no part in the target */
    LONG_PERIODS = 2,
    KNOWN = 8,    /* samples of stretches from a place */
    ANYWHERE = 1, /* as a place to go to */
};

/* The samples of all stretches between two places, while `key`'s target was the target. */
struct place {
    _Atomic uint64_t key; /* 0: free */
    _Atomic uint32_t samples, hits;
};

static struct place places[PLACES];

static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 33) * 0xff51afd7ed558ccdull;
    x = (x ^ x >> 33) * 0xc4ceb9fe1a85ec53ull;
    return x ^ x >> 33;
}

/* from and to are 0 for all stretches of a target together. */
static struct place *place_of(uint32_t target, uintptr_t from, uintptr_t to)
{
    uint64_t key = mix(mix(from ^ (uint64_t)target << 48) + to) | 1;
    for (uint64_t i = 0; i < PROBES; i++) {
        struct place *place = &places[(key / 2 + i) % PLACES];
        uint64_t there = atomic_load_explicit(&place->key, memory_order_relaxed);
        if (there == key || (there == 0 && atomic_compare_exchange_strong(&place->key, &there, key)) ||
            there == key)
            return place;
    }
    return NULL;
}

static void learn(struct place *place, uint32_t samples, uint32_t hits)
{
    if (!place || !samples)
        return;
    uint32_t all = atomic_fetch_add_explicit(&place->samples, samples, memory_order_relaxed) + samples;
    uint32_t in = atomic_fetch_add_explicit(&place->hits, hits, memory_order_relaxed) + hits;
    if (all >= MEMORY) {
        atomic_fetch_sub_explicit(&place->samples, all / 2, memory_order_relaxed);
        atomic_fetch_sub_explicit(&place->hits, in / 2, memory_order_relaxed);
    }
}

static double share_of(const struct place *place, double otherwise)
{
    if (!place)
        return otherwise;
    double samples = atomic_load_explicit(&place->samples, memory_order_relaxed);
    double hits = atomic_load_explicit(&place->hits, memory_order_relaxed);
    return (hits + otherwise) / (samples + 1);
}

/* The share of the target in stretches between the two places. While they are new, that in all stretches. */
static double share(uint32_t target, uintptr_t from, uintptr_t to, const struct stretch *stretch)
{
    struct place *all = place_of(target, 0, 0), *own = place_of(target, from, to);
    if (stretch->samples) {
        learn(all, stretch->samples, stretch->hits);
        learn(own, stretch->samples, stretch->hits);
        learn(place_of(target, from, ANYWHERE), stretch->samples, stretch->hits);
    }
    return share_of(own, share_of(all, 0));
}

/* The share in stretches that began there, or below 0 while too little is known. */
static double share_from(uint32_t target, uintptr_t from)
{
    const struct place *place = place_of(target, from, ANYWHERE);
    bool known = place && atomic_load_explicit(&place->samples, memory_order_relaxed) >= KNOWN;
    return known ? share_of(place, 0) : -1;
}

static uint64_t passed(uint64_t from_ns, uint64_t to_ns)
{
    return to_ns > from_ns ? to_ns - from_ns : 0;
}

static void begin(struct stretch *stretch, struct instant now)
{
    stretch->since = now;
    stretch->begun_cpu_ns = now.cpu_ns;
    stretch->is_long = false;
    stretch->samples = stretch->hits = stretch->fresh_samples = stretch->fresh_hits = 0;
}

static void follow(struct thread *thread, uint32_t target, struct instant now)
{
    thread->stretch =
        (struct stretch){.followed = true, .target = target, .since = now, .begun_cpu_ns = now.cpu_ns};
}

void stretch_start(struct thread *thread, uintptr_t from)
{
    segment_target target = atomic_load_explicit(&runtime_segment->target, memory_order_relaxed);
    if (!segment_target_site(target))
        return;
    thread_enter(thread);
    follow(thread, segment_target_site(target), instant_now()); /* after what starting it cost us */
    thread->stretch.from = from;
    thread_leave(thread);
}

uint64_t stretch_sample(struct thread *thread, uint32_t target, bool hit, struct instant now)
{
    struct stretch *stretch = &thread->stretch;
    if (stretch->target != target)
        follow(thread, target, now);
    stretch->misses = hit ? 0 : stretch->misses + 1;
    if (stretch->misses == GIVE_UP)
        stretch->followed = false;
    else if (hit && !stretch->followed)
        follow(thread, target, now);
    if (!stretch->followed)
        return 0;
    stretch->samples++;
    stretch->hits += hit;
    stretch->fresh_samples++;
    stretch->fresh_hits += hit;
    uint64_t unsettled = passed(stretch->since.cpu_ns, now.cpu_ns), in_target;
    stretch->is_long = passed(stretch->begun_cpu_ns, now.cpu_ns) >= LONG_PERIODS * runtime_segment->period_ns;
    if (stretch->is_long) {
        in_target = unsettled * stretch->fresh_hits / stretch->fresh_samples;
    } else {
        double part = share_from(target, stretch->from);
        if (part < 0)
            return 0;
        in_target = (uint64_t)(part * (double)unsettled);
    }
    stretch->since = now;
    stretch->fresh_samples = stretch->fresh_hits = 0;
    return in_target;
}

uint64_t stretch_turn(struct thread *thread, uintptr_t at, struct instant *now)
{
    struct stretch *stretch = &thread->stretch;
    segment_target target = atomic_load_explicit(&runtime_segment->target, memory_order_relaxed);
    *now = instant_move(stretch->since);
    double part = share(stretch->target, stretch->from, at, stretch);
    uint64_t length = passed(stretch->since.cpu_ns, now->cpu_ns);
    begin(stretch, *now);
    stretch->from = at;
    return segment_target_site(target) == stretch->target ? (uint64_t)(part * (double)length) : 0;
}

void stretch_publish(struct thread *thread)
{
    const struct stretch *stretch = &thread->stretch;
    segment_target target = atomic_load_explicit(&runtime_segment->target, memory_order_relaxed);
    int32_t permille = segment_target_permille(target);
    double rate = 0;
    if (permille > 0 && !stretch->is_long && segment_target_site(target) == stretch->target)
        rate = share_from(stretch->target, stretch->from) * permille / 1000;
    ramp_publish(thread, rate > 0 ? rate : 0, stretch->since);
}

void stretch_skip(struct thread *thread, struct instant from, struct instant to)
{
    struct instant *since = &thread->stretch.since;
    since->wall_ns += passed(from.wall_ns, to.wall_ns);
    since->cpu_ns += passed(from.cpu_ns, to.cpu_ns);
    thread->stretch.begun_cpu_ns += passed(from.cpu_ns, to.cpu_ns);
}

void stretch_anew(struct thread *thread, struct instant now)
{
    begin(&thread->stretch, now);
}

void stretch_waited(struct thread *thread, struct instant now)
{
    struct instant *since = &thread->stretch.since;
    since->wall_ns = now.wall_ns - passed(since->cpu_ns, now.cpu_ns);
}
