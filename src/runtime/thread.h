/* A thread of the profiled program as the runtime sees it. One per thread, in initial-exec thread-local
 * storage: no lookup and no system call on a hook's path. */
#pragma once

#include "runtime/ledger.h"
#include "runtime/runtime.h"
#include "runtime/shares.h"

#include <stdbool.h>
#include <sys/types.h>

/* A moment on both clocks of a thread. */
struct instant {
    uint64_t wall_ns, cpu_ns;
};

/* What the scheduler says of a thread, since it began. Zeros when the system does not tell. */
struct scheduled {
    uint64_t queued_ns; /* it stood in the run queue */
    uint64_t turns;     /* so often was a core given to it */
};

/* Waits for a core that a thread's looks at its CPU clock became: the kernel then finds out whether the
 * thread's turn is over, so most turns end in one. Nothing else of the thread lies in them. */
struct lost_turns {
    uint64_t ns, growth_ns; /* their length, and what `required` grew by in them */
};

/* What the thread runs at the moment (stretch.h). */
struct stretch {
    bool followed;
    bool is_long;         /* it settles at its samples */
    uint32_t target;      /* site that the counts are of */
    struct instant since; /* up to here it is settled */
    uint64_t begun_cpu_ns;
    uintptr_t from;                     /* where it began: a return address */
    struct evidence own;                /* in all of it */
    bool last_hit;                      /* the last of those */
    uint32_t fresh_samples, fresh_hits; /* of those, since it was settled */
    uint32_t misses;                    /* samples in a row, over many stretches */
};

/* A time in which the thread had no core, and what of `required` it was credited with for that. */
struct absence {
    uint64_t from_ns, until_ns, credited_ns;
};

enum { ABSENCES = 4 }; /* the latest */

struct thread {
    /* What hooks compare with what is required: the thread's balance, or CALM_NEVER while each of its hooked
     * calls has something to do. Kept by thread_leave(), for everything that changes it goes on inside the
     * guard. */
    uint64_t calm_ns;
    bool on;
    /* More than 0 while the runtime itself works for this thread outside the handler: the handler then leaves
     * everything alone. The CPU time is not lost, it goes into the next sample. */
    volatile int guard;
    struct ledger_account account;
    struct segment_thread *slot;
    _Atomic uint64_t own_paid_ns; /* the account's balance when no slot is free */
    pid_t tid;
    uint32_t pid;

    /* Where the last settlement stood: what `required` grew by since is owed, or credited (runqueue.h). */
    struct instant mark;
    struct scheduled mark_scheduled;
    struct lost_turns lost;        /* since then */
    unsigned mark_core, seen_core; /* where it was then; where it last looked at the clock */
    struct absence absences[ABSENCES];
    unsigned absences_count; /* the next one goes there, in turns */
    int schedstat;           /* descriptor, -1 until the first time it is needed */

    /* Sampling. */
    uint64_t sampled_cpu_ns;   /* the thread's CPU time up to which samples have accounted */
    uint64_t excluded_ns;      /* since then: CPU time that was ours */
    volatile unsigned signals; /* samples that ended a system call, which then returns EINTR */
    volatile unsigned cuts;    /* samples that came as one returned something else, maybe less than all */
    uint64_t began_cpu_ns;     /* CPU time when its sampling began */
    uint64_t covered_ns;       /* of the CPU time since then: what the first sample stands for, by timer */
    uint64_t first_weight_ns;  /* of the next sample, when nothing before it counts; 0: what passed */
    bool suspended;            /* no samples at the moment: the thread pauses */
    int perf_fd;
    int timer; /* the kernel's number */
    bool has_timer, timer_is_set;
    bool timer_is_fine;   /* on the wall clock (sampler_clock.c), not on ticks of the CPU clock */
    uint64_t fires_at_ns; /* a fine timer, when it is set: wall clock */
    uint64_t rest_ns,
        due_ns;            /* what it is set to when it goes on; CPU time from the last sample to the next */
    unsigned timer_core;   /* where it was set */
    unsigned found_asleep; /* by a fine timer */
    unsigned short_waits;  /* so many waits in a row were none to speak of */
    uint64_t held_ns;      /* when the last wait began, on the wall clock */
    bool no_perf;          /* it was refused */
    bool keeps_ticks;      /* no fine timer either */
    /* How long it runs at a time (sampler_choice.c): lately, and as of the last look. */
    uint64_t run_ns, runs;
    uint64_t seen_cpu_ns, seen_switches;
    struct stretch stretch;
    struct segment_ramp *ramp; /* once it has published one */
    uint64_t folded_ns;        /* when it last looked at those of others */
    bool waits; /* in a hooked call: what becomes due is settled when it is back, for it may be credited */
    bool holds_samples;    /* our signal is blocked */
    uint64_t own_slack_ns; /* of its timers, while a pause has another; else 0 */
    /* Handlers of the program's own (handlers.h): those that ended a system call, all of them, and the time
     * that others took away from what they interrupted of ours. */
    volatile unsigned handlers, handlers_run;
    volatile uint64_t elsewhere_ns;
    bool is_nested;                       /* in one that interrupted our work */
    uint64_t wait_began_ns, wait_paid_ns; /* wall clock and balance when the thread began to wait */
    /* Settling at hooks (sync.c): when it was done last; how many hooks then pass without, and how many of
     * them are left; what it has cost and nobody owes yet. */
    uint64_t settled_ns;
    uint32_t hooks_between, hooks_to_pass;
    uint64_t hooks_cost_ns;
    uint64_t wait_cost_ns; /* what beginning the wait that it is in has cost */
    uint32_t random;
    uintptr_t stack_high; /* no frame lies at or above it */
};

#define CALM_NEVER UINT64_MAX

extern __thread struct thread thread_current __attribute__((tls_model("initial-exec")));

static inline void thread_enter(struct thread *thread)
{
    thread->guard++;
    atomic_signal_fence(memory_order_seq_cst);
}

static inline void thread_leave(struct thread *thread)
{
    thread->calm_ns = thread->stretch.followed
                          ? CALM_NEVER
                          : atomic_load_explicit(thread->account.paid_ns, memory_order_relaxed);
    atomic_signal_fence(memory_order_seq_cst);
    thread->guard--;
}

/* The thread is about to make a hooked call that may block, or is back. Returns what that cost, which nobody
 * owes yet. */
uint64_t thread_set_waits(struct thread *thread, bool waits);

/* The time between the two moments was ours, not the program's: it is none of the next sample's, nor of the
 * stretch's. What is told as a cost (pause.h) and not left out here counts twice. For the calling thread,
 * inside its guard or in its handler. */
void thread_leave_out(struct thread *thread, struct instant from, struct instant to);

/* Begins and ends profiling of the calling thread. inherited_paid_ns is the parent's balance when it was
 * level; stack_high an address above all the thread's frames. */
void thread_start(uint64_t inherited_paid_ns, uintptr_t stack_high);
void thread_stop(void);

/* The calling thread is about to end, and not sampled any more: what taking its sampler down costs comes
 * before it is settled for the last time. */
void thread_silence(void);

/* xorshift: for jitter. Any thread, handlers too. */
uint32_t thread_random(struct thread *thread);
