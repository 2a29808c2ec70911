/* The marks of regions, which programs find by name (include/coz.h). Any thread; in a handler of the program's that came
 * in the middle of a mark they do nothing. */
#include "runtime/calls/sync.h"
#include "runtime/ledger/pause.h"
#include "runtime/ledger/ramp.h"
#include "runtime/sampling/modules.h"
#include "shared/region_slots.h"

#include <errno.h>

#define EXPORT __attribute__((visibility("default")))

EXPORT void *_coz_region(const char *name);
EXPORT void _coz_region_begin(void *region);
EXPORT void _coz_region_end(void *region);

void *_coz_region(const char *name)
{
    struct segment *segment = runtime_segment;
    if (!segment || segment->counts_only || !name)
        return NULL;
    regions_prepare();
    return region_slot_of(segment, name);
}

/* As thread_guard_begin() and _end(), but what hooks look at does not change: nothing is paid at most marks. */
static inline void guard_begin(struct thread *thread)
{
    thread->guard++;
    atomic_signal_fence(memory_order_seq_cst);
}

static inline void guard_end(struct thread *thread)
{
    atomic_signal_fence(memory_order_seq_cst);
    thread->guard--;
}

/* Marks that come often are settled in lumps, without a look at the CPU clock: the thread had its core all the while, or
 * it would have been looked at (regions_must_look()). */
static __attribute__((noinline)) void settle_often(struct thread *thread)
{
    int saved = errno;
    thread_guard_begin(thread);
    pause_apply_target(&thread->account, regions_take(&thread->regions),
                       (struct instant){.wall_ns = clock_wall_ns()});
    thread_guard_end(thread);
    errno = saved;
}

/* It is in the target no longer: nobody folds what it told of getting ahead. */
static __attribute__((noinline)) void end_climb(struct thread *thread)
{
    guard_begin(thread);
    thread->regions.has_ramp = thread->stretch.is_named = false;
    ramp_hide(&thread->account);
    guard_end(thread);
}

/* Regions within one that was passed by were left without a word. */
static __attribute__((noinline)) void close_inner(struct thread *thread)
{
    guard_begin(thread);
    regions_close_inner(&thread->regions);
    guard_end(thread);
}

static inline bool is_much(const struct regions *regions)
{
    return (double)regions->pending * regions_tick_ns >= REGION_STEP_NS;
}

void _coz_region_begin(void *which)
{
    struct thread *thread = &thread_current;
    struct regions *regions = &thread->regions;
    if (unlikely(!thread->on || thread->guard))
        return;
    uintptr_t stack = (uintptr_t)__builtin_frame_address(0);
    if (regions_pass(regions, which, SYNC_CALLER, stack))
        return;
    uint64_t now = ticks_read(), since = now - regions->looked;
    guard_begin(thread);
    uint32_t share = regions_begin(regions, which, now, SYNC_CALLER, stack);
    bool enters = which == regions->target && regions->target_depth == 1;
    guard_end(thread);
    if (unlikely(regions_must_look(regions, since, share) ||
                 (enters && (regions->is_long || !stretch_is_followed(&thread->stretch)))))
        sync_settle_at_mark(SYNC_CALLER);
}

void _coz_region_end(void *which)
{
    struct thread *thread = &thread_current;
    struct regions *regions = &thread->regions;
    if (unlikely(!thread->on || thread->guard))
        return;
    if (regions_end_passed(regions, which)) {
        if (unlikely(regions->depth && !regions->passed.region))
            close_inner(thread);
        return;
    }
    uint64_t now = ticks_read();
    if (unlikely(regions_must_look(regions, now - regions->looked, 1) ||
                 (regions->has_ramp && which == regions->target))) {
        sync_settle_at_mark(SYNC_CALLER);
        now = ticks_read();
    }
    guard_begin(thread);
    regions_end(regions, which, now);
    guard_end(thread);
    if (unlikely(regions->has_ramp && !regions->target_depth))
        end_climb(thread);
    if (unlikely(is_much(regions)))
        settle_often(thread);
}
