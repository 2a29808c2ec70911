#include "runtime/ledger/stretch.h"

#include "base/clock.h"
#include "runtime/ledger/ramp.h"

enum {
    GIVE_UP = 64, /* samples without a hit after which a thread is thought to have no part in the target */
    LONG_SAMPLES = 4,
};

/* Nothing is to be learnt: the thread is in the target, or it is not. */
static bool is_known(const struct stretch *stretch)
{
    return runtime_segment->granularity == GRANULARITY_THREAD || segment_target_is_region(stretch->target);
}

/* What it should have stepped by so far. */
static uint64_t in_target_so_far_ns(const struct stretch *stretch)
{
    return stretch->is_long && !is_known(stretch) ? stretch->found_ns : stretch->learnt_ns;
}

static uint64_t step_ns(struct stretch *stretch)
{
    uint64_t step = clock_passed_ns(stretch->stepped_ns, in_target_so_far_ns(stretch));
    stretch->stepped_ns += step;
    return step;
}

static void stretch_begin(struct stretch *stretch, struct instant now)
{
    stretch->stepped_ns = clock_passed_ns(in_target_so_far_ns(stretch), stretch->stepped_ns);
    stretch->learnt_ns = stretch->found_ns = 0;
    stretch->since = now;
    stretch->is_long = false;
    stretch->own = (struct evidence){0, 0, 0, 0};
}

static void stretch_follow(struct stretch *stretch, uint32_t target, struct instant now)
{
    *stretch = (struct stretch){.followed = true, .target = target};
    stretch_begin(stretch, now);
}

void stretch_start(struct stretch *stretch, uint32_t target, uintptr_t from, struct instant now)
{
    stretch_follow(stretch, target, now);
    stretch->from = from;
}

void stretch_name(struct stretch *stretch, uint32_t target, bool is_target, struct instant now)
{
    if (stretch->target != target || (is_target && !stretch->followed))
        stretch_follow(stretch, target, now);
    stretch->is_named = is_target;
    stretch->followed = is_target;
}

/* Below 0 while too little is known. */
static double part_so_far(const struct stretch *stretch, uint32_t target)
{
    if (is_known(stretch))
        return stretch->is_named;
    return share_so_far(target, stretch->from, &stretch->own);
}

static double part_of_whole(const struct stretch *stretch, uintptr_t to)
{
    if (segment_target_is_region(stretch->target))
        return 0; /* its marks tell it */
    if (is_known(stretch))
        return stretch->is_named;
    shares_learn(stretch->target, stretch->from, to, &stretch->own);
    return share_between(stretch->target, stretch->from, to, &stretch->own);
}

void stretch_mark(struct stretch *stretch, uint32_t target, bool is_target, struct instant now)
{
    if (stretch->target != target || (is_target && !stretch->followed))
        stretch_follow(stretch, target, now);
    stretch->misses = is_target ? 0 : stretch->misses + 1;
    if (stretch->misses >= GIVE_UP)
        stretch->followed = false;
}

uint64_t stretch_sample(struct stretch *stretch, uint32_t target, bool hit, uint64_t weight_ns,
                        struct instant now)
{
    if (runtime_segment->granularity == GRANULARITY_THREAD)
        stretch_name(stretch, target, hit, now);
    else if (stretch->target != target)
        stretch_follow(stretch, target, now);
    stretch->misses = hit ? 0 : stretch->misses + 1;
    if (stretch->misses == GIVE_UP)
        stretch->followed = false;
    else if (hit && !stretch->followed)
        stretch_follow(stretch, target, now);
    if (!stretch->followed)
        return 0;
    evidence_add(&stretch->own, hit, &stretch->last_hit);
    stretch->found_ns += hit ? weight_ns : 0;
    stretch->is_long = stretch->own.samples >= LONG_SAMPLES;
    double part = part_so_far(stretch, target);
    if (part < 0 && !stretch->is_long)
        return 0;
    stretch->learnt_ns +=
        (uint64_t)((part > 0 ? part : 0) * (double)clock_passed_ns(stretch->since.cpu_ns, now.cpu_ns));
    stretch->since = now;
    return step_ns(stretch);
}

bool stretch_drop(struct stretch *stretch)
{
    bool has_part = stretch->last_hit || stretch->own.hits || part_so_far(stretch, stretch->target) > 0;
    if (stretch->followed && !has_part)
        stretch->followed = false;
    return !stretch->followed;
}

uint64_t stretch_turn(struct stretch *stretch, uintptr_t at, struct instant now)
{
    segment_target target = runtime_target();
    double part = part_of_whole(stretch, at);
    stretch->learnt_ns += (uint64_t)(part * (double)clock_passed_ns(stretch->since.cpu_ns, now.cpu_ns));
    uint64_t step = step_ns(stretch);
    stretch_begin(stretch, now);
    stretch->from = at;
    return segment_target_site(target) == stretch->target ? step : 0;
}

void stretch_publish(const struct stretch *stretch, struct account *account)
{
    segment_target target = runtime_target();
    int32_t permille = segment_target_permille(target);
    double rate = 0;
    if (permille > 0 && !stretch->is_long && segment_target_site(target) == stretch->target)
        rate = part_so_far(stretch, stretch->target) * permille / 1000;
    ramp_publish(account, rate > 0 ? rate : 0, stretch->since);
}

void stretch_skip(struct stretch *stretch, struct instant from, struct instant to)
{
    stretch->since.wall_ns += clock_passed_ns(from.wall_ns, to.wall_ns);
    stretch->since.cpu_ns += clock_passed_ns(from.cpu_ns, to.cpu_ns);
}

void stretch_anew(struct stretch *stretch, struct instant now)
{
    stretch_begin(stretch, now);
}

void stretch_waited(struct stretch *stretch, struct instant now)
{
    struct instant *since = &stretch->since;
    since->wall_ns = now.wall_ns - clock_passed_ns(since->cpu_ns, now.cpu_ns);
}
