/* Progress points: the functions that programs look up by name (include/coz.h, and the original's header). */
#include "runtime/calls/progress.h"

#include "base/clock.h"
#include "runtime/calls/sync.h"
#include "runtime/core/process.h"
#include "runtime/ledger/pause.h"
#include "runtime/sampling/modules.h"
#include "runtime/thread/breakpoints.h"
#include "shared/edge.h"
#include "shared/open_units.h"
#include "shared/point_slots.h"

#include <errno.h>

#define EXPORT __attribute__((visibility("default")))

EXPORT struct segment_point *_coz_get_counter(int type, const char *name);
EXPORT void _coz_visit(struct segment_point *point);
EXPORT void _coz_visit_id(struct segment_point *point, uint64_t id);
EXPORT void _coz_add_delays(void);
EXPORT void _coz_pre_block(void);
EXPORT void _coz_post_block(int skip_delays);

struct segment_point *_coz_get_counter(int type, const char *name)
{
    struct segment *segment = runtime_segment;
    if (!segment || type < POINT_THROUGHPUT || type > POINT_END || !name)
        return NULL;
    modules_refresh(); /* the caller may have come with a dlopen */
    return point_slot_of(segment, (uint32_t)type, name);
}

static bool point_drives(const struct segment *segment, const struct segment_point *point)
{
    uint32_t driver = atomic_load_explicit(&segment->edge_driver, memory_order_relaxed);
    return driver >= SEGMENT_POINTS || point == &segment->points[driver];
}

/* The edge word changed since this point's last visit: this visit begins a window, or ends one. The time is
 * taken when the thread is level, where its virtual clock agrees with everyone's. */
static __attribute__((noinline)) void visit_edge(struct segment_point *point, uint64_t count)
{
    struct segment *segment = runtime_segment;
    struct thread *thread = &thread_current;
    if (!thread->on || thread->guard)
        return;
    int saved = errno;
    thread->matters = true;
    sync_settle_fully();
    thread_guard_begin(thread);
    uint64_t now = clock_wall_ns();
    uint64_t paid = account_paid_ns(&thread->account);
    uint32_t word = atomic_load(&segment->edge_word);
    uint32_t window = edge_window(word), taken = 0;
    if (edge_is_wanted(word) && point_drives(segment, point))
        taken = edge_take(segment, word, now - paid, now, paid);
    edge_first_visit(point, taken ? taken : window, now - paid, count);
    atomic_store_explicit(&point->seen_word, taken ? taken << 1 : word, memory_order_relaxed);
    thread_guard_end(thread);
    if (taken)
        runtime_wake_controller();
    errno = saved;
}

/* What is in progress for how long is the difference of two sums: of the virtual times of all ends and of all
 * beginnings. The controller reads them when a window begins and ends. Returns the time of the visit. */
static uint64_t visit_in_progress(struct segment_point *point)
{
    size_t index = (size_t)(point - runtime_segment->points);
    sync_settle_fully();
    atomic_fetch_add_explicit(&point->entered, 1, memory_order_acq_rel);
    process_entered(index);
    uint64_t paid = thread_current.on
                        ? account_paid_ns(&thread_current.account)
                        : atomic_load_explicit(&runtime_segment->due.required_ns, memory_order_relaxed);
    uint64_t virtual_ns = clock_wall_ns() - paid;
    process_count_end(index, virtual_ns);
    atomic_fetch_add_explicit(&point->sum_ns, virtual_ns, memory_order_relaxed);
    atomic_fetch_add_explicit(&point->count, 1, memory_order_release);
    return virtual_ns;
}

static void note_precise(struct segment_point *point)
{
    if (unlikely(!atomic_load_explicit(&point->precise, memory_order_relaxed)))
        atomic_store(&point->precise, 1);
}

void progress_visit(struct segment_point *point)
{
    struct segment *segment = runtime_segment;
    note_precise(point);
    if (point->type != POINT_THROUGHPUT) {
        if (segment)
            visit_in_progress(point);
        return;
    }
    uint64_t count = atomic_fetch_add_explicit(&point->count, 1, memory_order_relaxed) + 1;
    if (likely(segment))
        process_visited((size_t)(point - segment->points));
    if (segment && unlikely(atomic_load_explicit(&point->seen_word, memory_order_relaxed) !=
                            atomic_load_explicit(&segment->edge_word, memory_order_relaxed)))
        visit_edge(point, count);
}

bool progress_alarm(struct segment_point *point, uint64_t count)
{
    if (!thread_current.on || thread_current.guard)
        return false;
    visit_edge(point, count);
    return true;
}

void _coz_visit(struct segment_point *point)
{
    progress_visit(point);
}

/* 0: there is no room for another one. */
static uint32_t latency_of(struct segment *segment, struct segment_point *point)
{
    uint32_t slot = atomic_load_explicit(&point->latency, memory_order_relaxed);
    if (likely(slot))
        return slot;
    slot = latency_slot_of(segment, point->name);
    if (slot)
        atomic_store_explicit(&point->latency, slot, memory_order_relaxed);
    else
        atomic_fetch_add_explicit(&segment->refusals.latencies, 1, memory_order_relaxed);
    return slot;
}

void _coz_visit_id(struct segment_point *point, uint64_t id)
{
    struct segment *segment = runtime_segment;
    if (!segment || point->type == POINT_THROUGHPUT) {
        progress_visit(point);
        return;
    }
    note_precise(point);
    uint64_t virtual_ns = visit_in_progress(point);
    uint32_t slot = latency_of(segment, point);
    if (!slot)
        return;
    uint64_t key = open_unit_key(slot, process_number(), id);
    if (point->type == POINT_BEGIN)
        open_unit_begin(segment, slot, key, virtual_ns);
    else
        open_unit_end(segment, slot, key, virtual_ns);
}

/* COZ_CATCH_UP: about to let somebody go on, by means that we do not see. */
void _coz_add_delays(void)
{
    sync_before_wake(NULL);
}

void _coz_pre_block(void)
{
    sync_wait_begin(NULL, WAIT_OTHER);
}

void _coz_post_block(int skip_delays)
{
    sync_wait_end(NULL, skip_delays ? WOKEN_BY_PEER : WOKEN_BY_OUTSIDE);
}
