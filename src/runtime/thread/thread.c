#include "runtime/thread/thread.h"

#include "base/clock.h"
#include "runtime/arch/ticks.h"
#include "runtime/clock/ticks.h"
#include "runtime/core/departure.h"
#include "runtime/core/descriptors.h"
#include "runtime/core/namespace.h"
#include "runtime/ledger/pause.h"
#include "runtime/ledger/ramp.h"
#include "runtime/ledger/stretch.h"
#include "runtime/sampling/locate.h"
#include "runtime/sampling/sampler.h"
#include "runtime/thread/breakpoints.h"
#include "shared/thread_slots.h"
#include "shared/waits.h"

#include <string.h>
#include <unistd.h>

__thread struct thread thread_current __attribute__((tls_model("initial-exec")));

static bool ticks_kept; /* their pace */

void thread_prepare(void)
{
    ticks_kept = ticks_keep_pace();
    budget_begin(clock_wall_ns(), ticks_now());
}

/* Calls of these classes sleep or return at once. Others may spin, or compute inside the kernel. */
static bool only_sleeps(enum wait_class class)
{
    return class == WAIT_CONDITION || class == WAIT_POLL || class == WAIT_SLEEP || class == WAIT_CHILD ||
           class == WAIT_SIGNAL;
}

/* Takes the timer down, sets it again, or puts another one in its place. Returns what that cost. */
static uint64_t change_timer(struct thread *thread, void (*change)(struct sampler *sampler), uint64_t now_ns)
{
    if (!departure_begin_work())
        return 0;
    change(&thread->sampler);
    uint64_t cost_ns = instant_own_cost_ns(now_ns, 0);
    thread_leave_out(thread, cost_ns);
    departure_end_work();
    return cost_ns;
}

uint64_t thread_set_waits(struct thread *thread, bool waits, uint64_t now_ns)
{
    struct sampler *sampler = &thread->sampler;
    uint64_t cost_ns = 0;
    thread_note_waits(thread, waits);
    if (!sampler->timer_is_fine)
        return 0;
    if (unlikely(waits && sampler->wait_count == SAMPLER_TELLING_WAITS)) {
        thread_guard_begin(thread); /* a sample would choose, too */
        cost_ns = change_timer(thread, sampler_look_at_waits, now_ns);
        thread_guard_end(thread);
        if (!sampler->timer_is_fine)
            return cost_ns;
        now_ns += cost_ns;
    }
    if (waits && sampler_clock_waits(sampler, now_ns, !only_sleeps(thread->wait.class)))
        cost_ns += change_timer(thread, sampler_clock_hold, now_ns);
    else if (!waits && sampler_clock_goes_on(sampler, now_ns))
        cost_ns += change_timer(thread, sampler_clock_resume, now_ns);
    return cost_ns;
}

void thread_learn_ticks(struct thread *thread)
{
    if (!ticks_kept)
        return;
    uint64_t stale_ticks = budget_stale_ticks(clock_wall_ns(), ticks_now());
    thread->short_ticks = instant_share_ns(stale_ticks, WAIT_COUNTS_NS, BUDGET_STALE_NS);
}

uint64_t thread_since_ns(const struct thread *thread, uint64_t then_ticks, uint64_t now_ticks)
{
    int64_t ticks = (int64_t)(now_ticks - then_ticks);
    return ticks > 0 ? instant_share_ns(WAIT_COUNTS_NS, (uint64_t)ticks, thread->short_ticks) : 0;
}

void thread_exclude(struct thread *thread, struct instant from, struct instant to)
{
    thread->sampler.excluded_ns += clock_passed_ns(from.cpu_ns, to.cpu_ns);
    stretch_skip(&thread->stretch, from, to);
}

void thread_start(uint64_t inherited_paid_ns, uintptr_t stack_high)
{
    struct segment *segment = runtime_segment;
    struct thread *thread = &thread_current;
    if (!segment || segment->counts_only || thread->on ||
        !atomic_load_explicit(&segment->active, memory_order_relaxed) || !departure_begin_work())
        return;
    pid_t tid = gettid();
    *thread = (struct thread){
        .tid = tid,
        .stack_high = stack_high,
        .account = {.pid = namespace_number(getpid()),
                    .presence = {.tid = tid, .number = namespace_number(tid), .schedstat = QUEUED_NOT_ASKED}},
        .sampler = {.tid = tid, .perf_fd = -1},
        .short_waits = {.random = (uint64_t)tid},
    };
    sampler_seed(&thread->sampler, (uint32_t)tid * 2654435761u ^ (uint32_t)clock_wall_ns());
    struct account *account = &thread->account;
    thread->slot = thread_slot_claim(segment, account->presence.number, account->pid);
    account->balance.paid_ns = thread->slot ? &thread->slot->paid_ns : &thread->own_paid_ns;
    atomic_store(account->balance.paid_ns, inherited_paid_ns);
    thread->calm_ns = inherited_paid_ns;
    account->mark = instant_now(&account->presence);
    thread->idling.began_ns = account->counted_at_ns = account->mark.wall_ns;
    if (thread->slot) {
        account->lifted_ns = &thread->slot->lifted_ns;
        atomic_store(&thread->slot->flags, 0);
        atomic_store(&thread->slot->woke_ns, 0);
        atomic_store(&thread->slot->woke_object, 0);
        atomic_store(&thread->slot->waited_until_ns, 0);
        atomic_store(&thread->slot->wrote_ns, 0);
        atomic_store(&thread->slot->lifted_ns, 0);
        atomic_store(&thread->slot->began_ns, account->mark.wall_ns);
    }
    thread->sampler.sampled_cpu_ns = thread->sampler.began_cpu_ns = thread->sampler.seen_cpu_ns =
        account->mark.cpu_ns;
    atomic_fetch_add_explicit(&segment->threads, 1, memory_order_relaxed);
    runqueue_credit_start(account, account->mark);
    thread->on = true;
    sampler_start(&thread->sampler);
    breakpoints_open_signal();
    departure_end_work();
}

void thread_forget(struct thread *thread)
{
    *thread = (struct thread){
        .account = {.balance = {.paid_ns = &thread->own_paid_ns},
                    .presence = {.schedstat = QUEUED_NEVER_ASK}},
        .sampler = {.perf_fd = -1},
    };
}

static uint32_t current_target(void)
{
    return segment_target_site(runtime_target());
}

void thread_take_name(struct thread *thread, struct instant now)
{
    struct located located;
    uint32_t target = current_target();
    if (!target || runtime_segment->granularity != GRANULARITY_THREAD)
        return;
    locate_known(own_name_site(&thread->name), &located);
    stretch_name(&thread->stretch, target, located_has(&located, target), now);
}

void thread_begin_stretch(struct thread *thread, uintptr_t from)
{
    uint32_t target = current_target();
    if (!thread->on || !target || !departure_begin_work())
        return;
    thread_guard_begin(thread);
    struct instant now = instant_now(&thread->account.presence); /* after what starting it cost us */
    stretch_start(&thread->stretch, target, from, now);
    thread_take_name(thread, now);
    pause_own_cost(&thread->account, clock_passed_ns(thread->account.mark.cpu_ns, now.cpu_ns));
    thread_guard_end(thread);
    departure_end_work();
}

uint64_t thread_take_region(struct thread *thread, struct instant now)
{
    struct regions *regions = &thread->regions;
    regions_follow(regions);
    if (!segment_target_is_region(regions->word))
        return 0;
    stretch_mark(&thread->stretch, segment_target_site(regions->word), regions_are_in_target(regions), now);
    uint64_t in_target_ns = regions_take(regions);
    thread->stretch.is_named = regions_climb(regions);
    return in_target_ns;
}

void thread_leave_regions(void)
{
    struct thread *thread = &thread_current;
    if (!thread->regions.is_used || !thread->on || thread->guard)
        return;
    thread_guard_begin(thread);
    regions_close(&thread->regions);
    thread_guard_end(thread);
}

void thread_silence(void)
{
    struct thread *thread = &thread_current;
    if (!thread->on || !departure_begin_work())
        return;
    thread_guard_begin(thread);
    struct instant before = instant_now(&thread->account.presence);
    /* Without what was ours: were that counted, threads that seem to live longer would be sampled in a dearer
     * way, and then live longer. */
    uint64_t rest_ns =
        clock_passed_ns(thread->sampler.sampled_cpu_ns + thread->sampler.excluded_ns, before.cpu_ns);
    sampler_note_life(thread->sampler.lived_ns + rest_ns);
    sampler_stop(&thread->sampler);
    if (current_target()) {
        struct instant after = instant_now(&thread->account.presence);
        stretch_skip(&thread->stretch, before, after);
        pause_own_cost(&thread->account, after.cpu_ns - before.cpu_ns);
    }
    thread_guard_end(thread);
    departure_end_work();
}

void thread_stop(void)
{
    struct thread *thread = &thread_current;
    if (!thread->on || !departure_begin_work())
        return;
    thread_guard_begin(thread);
    sampler_stop(&thread->sampler);
    ramp_end(&thread->account);
    idling_end(&thread->idling);
    if (unlikely(thread->regions.is_used))
        regions_tell(&thread->regions);
    thread->on = false;
    descriptors_drop(thread->account.presence.schedstat, thread->tid);
    if (thread->slot)
        thread_slot_release(runtime_segment, thread->slot, thread_slot_owner(thread->slot));
    thread_guard_end(thread);
    departure_end_work();
}
