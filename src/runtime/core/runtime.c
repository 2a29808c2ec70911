#include "runtime/core/runtime.h"

#include "runtime/core/kernel.h"
#include "runtime/core/namespace.h"

#include <errno.h>
#include <linux/futex.h>

struct segment *runtime_segment;

static const struct segment_due nothing_due;
const struct segment_due *runtime_due = &nothing_due;

void runtime_owe_nothing(void)
{
    runtime_due = &nothing_due;
}

static bool has_beaten_within(uint64_t ns, uint64_t now_ns)
{
    return now_ns < atomic_load_explicit(&runtime_segment->heartbeat_ns, memory_order_relaxed) + ns;
}

bool runtime_is_steered(uint64_t now_ns)
{
    return has_beaten_within(SEGMENT_HEARTBEAT_NS, now_ns);
}

bool runtime_is_deserted(uint64_t now_ns)
{
    struct segment *segment = runtime_segment;
    if (unlikely(!atomic_load_explicit(&segment->active, memory_order_relaxed)))
        return true;
    /* A controller that is only stopped, or waits for a core, beats again later. */
    if (likely(has_beaten_within(SEGMENT_DOUBT_NS, now_ns)))
        return false;
    /* In another PID namespace the controller's number is somebody else's, or nobody's: only its silence can
     * tell. */
    if (!namespace_is_home())
        return !has_beaten_within(SEGMENT_ABANDONED_S * 1000000000ull, now_ns);
    if (kernel_call(SYS_kill, segment->controller_pid, 0, 0, 0, 0, 0) != -ESRCH)
        return false;
    atomic_store(&segment->active, 0);
    return true;
}

void runtime_wake_controller(void)
{
    atomic_fetch_add(&runtime_segment->news, 1);
    kernel_call(SYS_futex, (long)&runtime_segment->news, FUTEX_WAKE, 1, 0, 0, 0);
}
