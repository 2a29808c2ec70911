/* Moments on both clocks of a thread, and on which core it was when it looked.
 *
 * All functions are for the calling thread, whose presence it is, inside its guard or in its handler; all are
 * async-signal-safe and keep errno. */
#pragma once

#include "base/clock.h"
#include "runtime/core/runtime.h"

#include <sys/types.h>

enum {
    PREEMPTED_NS = 30000,    /* two looks at the clock this far apart: it may have been off its core */
    LONGEST_OWN_NS = 100000, /* no handler or hook of ours takes more, pauses apart: it was off its core */
};

struct instant {
    uint64_t wall_ns, cpu_ns; /* CLOCK_MONOTONIC, and the thread's own CPU clock */
};

/* What the scheduler says of a thread, since it began. Zeros when the system does not tell. */
struct scheduled {
    uint64_t queued_ns; /* it stood in the run queue */
    uint64_t turns;     /* so often was a core given to it */
};

/* Turns that ended inside clock_gettime(), for the kernel checks there whether the thread's turn is over, or
 * inside sched_yield(). When they ended and the next one began is known exactly, and the program ran nothing
 * in that time. */
struct lost_turns {
    uint64_t ns, growth_ns; /* their length, and what `required` grew by in them */
};

enum { QUEUED_NOT_ASKED = -1, QUEUED_NEVER_ASK = -2 }; /* not yet; the system does not tell */

/* When a thread had a core, and which. */
struct presence {
    pid_t tid;               /* the kernel's, here */
    uint32_t number;         /* the same in the segment (namespace_number()) */
    unsigned core;           /* where it last looked at the clock */
    struct lost_turns lost;  /* since it was last settled */
    struct scheduled before; /* what the scheduler said when it was last asked (queued.h) */
    int schedstat;           /* descriptor, or one of QUEUED_* */
    uint64_t turns_seen;     /* how often it had been given a core when queued_left_core() was last asked */
};

/* A call in which the thread may lose its core: when it began, and `required` then. */
struct turn {
    uint64_t began_ns, required_ns;
};

static inline uint64_t required_now(void)
{
    return atomic_load_explicit(&runtime_segment->due.required_ns, memory_order_relaxed);
}

struct turn turn_now(void);

/* The call is over. If it took longer than such calls do, the thread stood in the run queue. */
void turn_is_over(struct presence *presence, struct turn turn, uint64_t now_ns, uint64_t usual_ns);

/* Takes both clocks; a system call. The runtime takes one on entry, and moves it along the wall clock while
 * the thread keeps its core. Both functions also note that a thread of the tree is on this core now
 * (shared/cores.h): who looks at the clock runs. */
struct instant instant_now(struct presence *presence);

/* The present moment, computed from `from` and the wall clock. Only right when the thread has kept its core
 * since `from`; makes a system call only where it seems to have lost it. */
struct instant instant_move(struct presence *presence, struct instant from);

/* The moment began_ns of the wall clock, when the runtime's own work began that has come to `now`: what it does until it
 * knows the time is none of the program's either. `now`, when that took so long that the thread must have lost its core
 * meanwhile. */
static inline struct instant instant_back(struct instant now, uint64_t began_ns)
{
    uint64_t took_ns = clock_passed_ns(began_ns, now.wall_ns);
    if (took_ns > LONGEST_OWN_NS || took_ns > now.cpu_ns)
        return now;
    return (struct instant){now.wall_ns - took_ns, now.cpu_ns - took_ns};
}

/* The cost of the runtime's own work from began_ns to over_ns of the wall clock, without the paused_ns in it. 0
 * when it took so long that the thread must have lost its core meanwhile. */
static inline uint64_t instant_cost_ns(uint64_t began_ns, uint64_t paused_ns, uint64_t over_ns)
{
    uint64_t took_ns = clock_passed_ns(began_ns + paused_ns, over_ns);
    return took_ns <= LONGEST_OWN_NS ? took_ns : 0;
}

/* The same until now. */
static inline uint64_t instant_own_cost_ns(uint64_t began_ns, uint64_t paused_ns)
{
    return instant_cost_ns(began_ns, paused_ns, clock_wall_ns());
}

/* Of all_ns, which were spread evenly over whole_ns, what fell into a part of them. Where a machine stood
 * still for seconds the product has more than 64 bits. */
static inline uint64_t instant_share_ns(uint64_t all_ns, uint64_t part_ns, uint64_t whole_ns)
{
    return (uint64_t)((unsigned __int128)all_ns * part_ns / whole_ns);
}
