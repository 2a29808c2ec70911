#include "runtime/ledger/core_waits.h"

#include "base/clock.h"
#include "runtime/clock/queued.h"
#include "runtime/ledger/pause.h"
#include "shared/edge.h"

#include <errno.h>

static bool are_target(segment_target target)
{
    return segment_target_is_wait(target) && segment_target_permille(target) > 0 &&
           segment_target_number(target) ==
               atomic_load_explicit(&runtime_segment->wait_targets[WAIT_QUEUE], memory_order_relaxed);
}

/* How much longer it has stood in the run queue since the last call; where that lies in an earlier window, what of
 * it may lie in this one. */
static uint64_t queued_since(const struct core_waits *before, uint32_t window, uint64_t total_ns,
                             uint64_t now_ns)
{
    uint64_t queued_ns = clock_passed_ns(before->queued_ns, total_ns);
    if (before->is_target && before->window == window)
        return queued_ns;
    uint64_t in_window_ns = clock_passed_ns(edge_real_ns(runtime_segment, window), now_ns);
    return queued_ns < in_window_ns ? queued_ns : in_window_ns;
}

static void get_ahead(struct account *account, int32_t permille, struct instant now)
{
    struct core_waits before = account->core_waits;
    uint32_t window = edge_window(atomic_load_explicit(&runtime_segment->edge_word, memory_order_relaxed));
    struct scheduled told = queued_ask(&account->presence);
    uint64_t total_ns = told.queued_ns;
    queued_take(&account->presence, told, UINT64_MAX, now.wall_ns); /* no pause is to take it for its own */
    uint64_t credited_ns = atomic_load_explicit(&account->balance.credited_runqueue_ns, memory_order_relaxed);
    account->core_waits = (struct core_waits){true, window, total_ns, credited_ns};
    uint64_t gain_ns = queued_since(&before, window, total_ns, now.wall_ns) * (uint64_t)permille / 1000;
    uint64_t own_ns =
        clock_passed_ns(before.is_target ? clock_passed_ns(before.credited_ns, credited_ns) : 0, gain_ns);
    pause_get_ahead(account, account_paid_ns(account) + own_ns, now);
}

void core_waits_shorten(struct account *account, struct instant now)
{
    segment_target target = runtime_target();
    if (likely(!segment_target_is_wait(target)) || !are_target(target)) {
        account->core_waits.is_target = false;
        return;
    }
    int saved = errno;
    get_ahead(account, segment_target_permille(target), now);
    errno = saved;
}
