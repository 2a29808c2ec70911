#include "runtime/stretch.h"

#include "base/clock.h"
#include "runtime/pause.h"
#include "runtime/ramp.h"

enum {
    GIVE_UP = 64, /* samples without a hit after which a thread is thought to have no part in the target */
    LONG_PERIODS = 2,
};

static void begin(struct stretch *stretch, struct instant now)
{
    stretch->since = now;
    stretch->begun_cpu_ns = now.cpu_ns;
    stretch->is_long = false;
    stretch->own = (struct evidence){0, 0, 0, 0};
    stretch->fresh_samples = stretch->fresh_hits = 0;
}

static void follow(struct thread *thread, uint32_t target, struct instant now)
{
    thread->stretch = (struct stretch){.followed = true, .target = target};
    begin(&thread->stretch, now);
}

void stretch_start(struct thread *thread, uintptr_t from)
{
    segment_target target = atomic_load_explicit(&runtime_segment->target, memory_order_relaxed);
    if (!thread->on || !segment_target_site(target) || !runtime_begin_work())
        return;
    thread_enter(thread);
    struct instant now = instant_now();
    follow(thread, segment_target_site(target), now); /* after what starting it cost us */
    pause_own_cost(thread, clock_passed_ns(thread->mark.cpu_ns, now.cpu_ns));
    thread->stretch.from = from;
    thread_leave(thread);
    runtime_end_work();
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
    evidence_add(&stretch->own, hit, &stretch->last_hit);
    stretch->fresh_samples++;
    stretch->fresh_hits += hit;
    uint64_t unsettled = clock_passed_ns(stretch->since.cpu_ns, now.cpu_ns), in_target;
    stretch->is_long =
        clock_passed_ns(stretch->begun_cpu_ns, now.cpu_ns) >= LONG_PERIODS * runtime_segment->period_ns;
    if (stretch->is_long) {
        in_target = unsettled * stretch->fresh_hits / stretch->fresh_samples;
    } else {
        double part = share_so_far(target, stretch->from, &stretch->own);
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
    shares_learn(stretch->target, stretch->from, at, &stretch->own);
    double part = share_between(stretch->target, stretch->from, at, &stretch->own);
    uint64_t length = clock_passed_ns(stretch->since.cpu_ns, now->cpu_ns);
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
        rate = share_so_far(stretch->target, stretch->from, &stretch->own) * permille / 1000;
    ramp_publish(thread, rate > 0 ? rate : 0, stretch->since);
}

void stretch_skip(struct thread *thread, struct instant from, struct instant to)
{
    struct instant *since = &thread->stretch.since;
    since->wall_ns += clock_passed_ns(from.wall_ns, to.wall_ns);
    since->cpu_ns += clock_passed_ns(from.cpu_ns, to.cpu_ns);
    thread->stretch.begun_cpu_ns += clock_passed_ns(from.cpu_ns, to.cpu_ns);
}

void stretch_anew(struct thread *thread, struct instant now)
{
    begin(&thread->stretch, now);
}

void stretch_waited(struct thread *thread, struct instant now)
{
    struct instant *since = &thread->stretch.since;
    since->wall_ns = now.wall_ns - clock_passed_ns(since->cpu_ns, now.cpu_ns);
}
