#include "runtime/thread.h"

#include "base/clock.h"
#include "runtime/descriptors.h"
#include "runtime/pause.h"
#include "runtime/ramp.h"
#include "runtime/sampler.h"
#include "runtime/stretch.h"

#include <string.h>
#include <unistd.h>

__thread struct thread thread_current __attribute__((tls_model("initial-exec")));

uint32_t thread_random(struct thread *thread)
{
    uint32_t x = thread->random;
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    return thread->random = x;
}

/* The search begins at the lowest slot that was free lately: the first look nearly always finds one, and no
 * more slots are ever touched than threads lived at once. */
static struct segment_thread *slot_claim(struct segment *segment, uint32_t tid)
{
    uint32_t start = atomic_load_explicit(&segment->thread_hint, memory_order_relaxed);
    for (uint32_t i = 0; i < SEGMENT_THREADS; i++) {
        uint32_t index = (start + i) % SEGMENT_THREADS, nobody = 0;
        struct segment_thread *slot = &segment->thread_slots[index];
        if (atomic_load_explicit(&slot->tid, memory_order_relaxed) ||
            !atomic_compare_exchange_strong(&slot->tid, &nobody, tid))
            continue;
        atomic_store_explicit(&segment->thread_hint, index + 1, memory_order_relaxed);
        uint32_t used = atomic_load_explicit(&segment->thread_slots_used, memory_order_relaxed);
        while (used <= index && !atomic_compare_exchange_weak(&segment->thread_slots_used, &used, index + 1))
            ;
        return slot;
    }
    return NULL;
}

static void slot_release(struct segment *segment, struct segment_thread *slot)
{
    uint32_t index = (uint32_t)(slot - segment->thread_slots);
    uint32_t hint = atomic_load_explicit(&segment->thread_hint, memory_order_relaxed);
    atomic_store(&slot->tid, 0);
    while (index < hint && !atomic_compare_exchange_weak(&segment->thread_hint, &hint, index))
        ;
}

uint64_t thread_set_waits(struct thread *thread, bool waits)
{
    thread->waits = waits;
    if (thread->slot)
        atomic_store_explicit(&thread->slot->flags, waits ? THREAD_BLOCKED : 0u, memory_order_relaxed);
    atomic_signal_fence(memory_order_seq_cst);
    if (!thread->timer_is_fine)
        return 0;
    uint64_t began_ns = clock_wall_ns();
    if (waits)
        sampler_clock_wait(thread);
    else
        sampler_clock_go_on(thread);
    uint64_t cost_ns = pause_cost_ns(began_ns, 0);
    thread_leave_out(thread, (struct instant){0, 0}, (struct instant){cost_ns, cost_ns});
    return cost_ns;
}

void thread_leave_out(struct thread *thread, struct instant from, struct instant to)
{
    thread->excluded_ns += clock_passed_ns(from.cpu_ns, to.cpu_ns);
    stretch_skip(thread, from, to);
}

void thread_start(uint64_t inherited_paid_ns, uintptr_t stack_high)
{
    struct segment *segment = runtime_segment;
    struct thread *thread = &thread_current;
    if (!segment || thread->on || !atomic_load_explicit(&segment->active, memory_order_relaxed) ||
        !runtime_begin_work())
        return;
    *thread = (struct thread){
        .tid = gettid(), .pid = (uint32_t)getpid(), .schedstat = -1, .perf_fd = -1, .stack_high = stack_high};
    thread->random = (uint32_t)thread->tid * 2654435761u ^ (uint32_t)clock_wall_ns();
    if (!thread->random)
        thread->random = 1;
    thread->slot = slot_claim(segment, (uint32_t)thread->tid);
    thread->account.paid_ns = thread->slot ? &thread->slot->paid_ns : &thread->own_paid_ns;
    atomic_store(thread->account.paid_ns, inherited_paid_ns);
    thread->calm_ns = inherited_paid_ns;
    if (thread->slot) {
        atomic_store(&thread->slot->flags, 0);
        atomic_store(&thread->slot->pid, thread->pid);
    }
    thread->mark = instant_now();
    thread->sampled_cpu_ns = thread->began_cpu_ns = thread->seen_cpu_ns = thread->mark.cpu_ns;
    atomic_fetch_add_explicit(&segment->threads, 1, memory_order_relaxed);
    runqueue_credit_start(thread, thread->mark);
    thread->on = true;
    sampler_start(thread);
    runtime_end_work();
}

void thread_silence(void)
{
    struct thread *thread = &thread_current;
    if (!thread->on || !runtime_begin_work())
        return;
    thread_enter(thread);
    struct instant before = instant_now();
    sampler_note_life(before.cpu_ns - thread->began_cpu_ns);
    sampler_stop(thread);
    if (segment_target_site(atomic_load_explicit(&runtime_segment->target, memory_order_relaxed))) {
        struct instant after = instant_now();
        stretch_skip(thread, before, after);
        pause_own_cost(thread, after.cpu_ns - before.cpu_ns);
    }
    thread_leave(thread);
    runtime_end_work();
}

void thread_stop(void)
{
    struct thread *thread = &thread_current;
    if (!thread->on || !runtime_begin_work())
        return;
    thread_enter(thread);
    sampler_stop(thread);
    ramp_end(thread);
    thread->on = false;
    descriptors_drop(thread->schedstat, thread->tid);
    if (thread->slot)
        slot_release(runtime_segment, thread->slot);
    thread_leave(thread);
    runtime_end_work();
}
