#include "runtime/clock/instant.h"

#include "shared/cores.h"

#include <sched.h>

/* Whoever looks at the clock is on a core. */
static struct instant note_instant(struct presence *presence, struct instant now)
{
    presence->core = (unsigned)sched_getcpu();
    core_note(runtime_segment, presence->core, now.wall_ns, presence->number);
    return now;
}

struct turn turn_now(void)
{
    return (struct turn){clock_wall_ns(), required_now()};
}

void turn_is_over(struct presence *presence, struct turn turn, uint64_t now_ns, uint64_t usual_ns)
{
    if (likely(now_ns - turn.began_ns <= usual_ns))
        return;
    presence->lost.ns += now_ns - turn.began_ns;
    presence->lost.growth_ns += required_now() - turn.required_ns;
}

struct instant instant_now(struct presence *presence)
{
    struct turn turn = turn_now();
    /* CPU clock first: kernels preempt at the end of that system call, and the wall clock has to be read
     * after such a preemption. */
    uint64_t cpu = clock_cpu_ns();
    struct instant now = note_instant(presence, (struct instant){clock_wall_ns(), cpu});
    turn_is_over(presence, turn, now.wall_ns, PREEMPTED_NS);
    return now;
}

struct instant instant_move(struct presence *presence, struct instant from)
{
    uint64_t now = clock_wall_ns(), moved = now - from.wall_ns;
    if (moved >= PREEMPTED_NS)
        return instant_now(presence);
    return note_instant(presence, (struct instant){now, from.cpu_ns + moved});
}
