#include "runtime/clock/instant.h"

#include "shared/cores.h"

#include <sched.h>

static uint64_t read_required(void)
{
    return atomic_load_explicit(&runtime_segment->due.required_ns, memory_order_relaxed);
}

/* Whoever looks at the clock is on a core. */
static struct instant note_instant(struct presence *presence, struct instant now)
{
    presence->core = (unsigned)sched_getcpu();
    core_note(runtime_segment, presence->core, now.wall_ns, presence->number);
    return now;
}

struct instant instant_now(struct presence *presence)
{
    uint64_t before_ns = clock_wall_ns(), level = read_required();
    /* CPU clock first: kernels preempt at the end of that system call, and the wall clock has to be read
     * after such a preemption. */
    uint64_t cpu = clock_cpu_ns();
    struct instant now = note_instant(presence, (struct instant){clock_wall_ns(), cpu});
    if (unlikely(now.wall_ns - before_ns > PREEMPTED_NS)) {
        presence->lost.ns += now.wall_ns - before_ns;
        presence->lost.growth_ns += read_required() - level;
    }
    return now;
}

struct instant instant_move(struct presence *presence, struct instant from)
{
    uint64_t now = clock_wall_ns(), moved = now - from.wall_ns;
    if (moved >= PREEMPTED_NS)
        return instant_now(presence);
    return note_instant(presence, (struct instant){now, from.cpu_ns + moved});
}
