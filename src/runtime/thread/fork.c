#include "runtime/thread/fork.h"

#include "runtime/core/departure.h"
#include "runtime/core/descriptors.h"
#include "runtime/core/process.h"
#include "runtime/sampling/modules.h"
#include "runtime/thread/thread.h"

static void leave_segment(void)
{
    process_detach(runtime_segment);
    runtime_owe_nothing();
    struct thread *thread = &thread_current;
    bool is_nested = thread->nesting.is_nested;
    thread_forget(thread);
    /* Where a handler has forked in the middle of our work, that work still uses the segment: it is private
     * now, and empty. */
    if (!is_nested)
        runtime_segment = NULL;
}

void fork_before(void)
{
    if (thread_current.on)
        atomic_fetch_add(&runtime_segment->births, 1);
}

static void begin_child(void)
{
    struct thread *thread = &thread_current;
    uint64_t paid = account_paid_ns(&thread->account);
    uintptr_t stack_high = thread->stack_high;
    struct regions regions = thread->regions;
    departure_after_fork();
    descriptors_after_fork(); /* the parent's events; timers are not inherited */
    thread->on = false;
    thread->tid = 0;
    if (runtime_segment->follow == FOLLOW_NONE) {
        leave_segment();
        return;
    }
    modules_join(process_join(runtime_segment));
    thread_start(paid, stack_high);
    if (unlikely(regions.is_used))
        regions_forked(&thread->regions, &regions, instant_now(&thread->account.presence));
}

void fork_after(pid_t pid)
{
    struct segment *segment = runtime_segment;
    if (pid == 0 && segment && segment->counts_only)
        process_join_to_count(segment);
    if (!segment || !thread_current.on || pid > 0)
        return;
    if (pid == 0 && segment->follow != FOLLOW_NONE)
        begin_child();
    atomic_fetch_sub(&segment->births, 1);
    if (pid == 0 && segment->follow == FOLLOW_NONE)
        begin_child();
}
