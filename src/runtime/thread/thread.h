/* A thread of the profiled program as the runtime sees it. One per thread, in initial-exec thread-local
 * storage: no lookup and no system call on a hook's path. */
#pragma once

#include "runtime/ledger/account.h"
#include "runtime/ledger/regions.h"
#include "runtime/ledger/short_waits.h"
#include "runtime/ledger/stretch.h"
#include "runtime/sampling/own_name.h"
#include "runtime/sampling/sampler.h"
#include "runtime/sampling/spinning.h"
#include "runtime/thread/budget.h"
#include "runtime/thread/idling.h"

/* The hooked call that may block, in which a thread is. */
struct wait {
    bool is_on; /* delay that becomes due is settled when the call returns: as a credit, maybe */
    uint64_t began_ns, paid_ns; /* the wall clock and the balance then */
    uint64_t began_ticks;       /* not 0: instead of the wall clock (calls/sync.c) */
    uint64_t cost_ns;           /* what beginning it has cost, and is not owed yet */
    uint64_t ours_ns;           /* of the time since then: what samples took */
    enum wait_class class;
    int32_t permille; /* its virtual speedup, when it began as the target; else 0 */
    uint32_t window;  /* in which that was */
    uint64_t cpu_ns;  /* the thread's CPU time then, when what the call computes is no wait; else 0 */
    uintptr_t at;     /* where the program made the call: a return address */
    const void *object;
    const void *lock; /* that it takes again before it goes on */
};

/* Sleeps that follow each other with hardly anything in between (calls/naps.h). */
struct naps {
    uint64_t woke_ns; /* when the last one ended; 0: something else came since */
    unsigned in_row;
    bool owes; /* what became due in it is paid with the next one, or before the thread does anything else */
};

/* Where the program's calls come from that wait for others and wake them, by their return addresses: looking for the
 * line again would cost too much each time. Two that come to the same row, as a wait and a wake in turn may, both have a
 * place in it. */
enum { CALL_SITE_ROWS = 8, CALL_SITE_PLACES = 2 };
struct call_site {
    uintptr_t at;
    uint32_t site, left; /* so many times it is believed */
};

/* Signals that came in the middle of something: samples, and handlers of the program's own (handlers.h). */
struct nesting {
    volatile unsigned samples;  /* that ended a system call, which then returns EINTR */
    volatile unsigned cuts;     /* that came as a call returned, which may have done less for them */
    volatile unsigned handlers; /* of the program's */
    bool is_nested;             /* the thread is in one that interrupted our work */
    bool holds_samples;         /* our signal is blocked */
};

/* A loop in which the thread does nothing but give its core away (calls/yields.h): when it began, and the accounts
 * then; and the latest moment that is known to be of it. */
struct yielding {
    uint64_t began_ns, required_ns, paid_ns;
    uint64_t until_ns;
    uint64_t call_ns; /* when the call under way began; 0: there is none */
};

enum { YIELD_IN_VAIN_NS = 3000 }; /* a call that takes no longer came back without another thread's turn */

/* Whether the thread had given its core to another one at that moment, of a call that is under way. */
static inline bool yielding_is_away(const struct yielding *yielding, uint64_t at_ns)
{
    return yielding->call_ns && at_ns > yielding->call_ns + YIELD_IN_VAIN_NS;
}

/* What traps of breakpoints take of its CPU time, by the samples that fall into them: the newer, the more
 * they count. */
struct traps {
    uint64_t ran_ns, stood_ns;
    uint64_t owed_ns; /* as much as nobody owes yet */
};

struct thread {
    /* Cached paid_ns; CALM_NEVER forces the slow path. Written only by thread_guard_end(), and
     * at the thread's start. */
    uint64_t calm_ns;
    bool on;
    /* More than 0 while the runtime itself works for this thread outside the handler: the handler then leaves
     * everything alone. The CPU time is not lost, it goes into the next sample. */
    volatile int guard;
    struct budget budget;
    struct account account;
    struct wait wait;
    uint64_t short_ticks; /* WAIT_COUNTS_NS in the processor's ticks; 0: not known */
    struct short_waits short_waits;
    struct naps naps;
    struct nesting nesting;
    struct yielding yielding;
    struct stretch stretch;
    struct traps traps;
    struct sampler sampler;
    struct own_name name;
    struct spinning spinning;
    struct call_site call_sites[CALL_SITE_ROWS][CALL_SITE_PLACES]; /* of a row the newest first */
    struct idling idling;
    bool matters; /* it has visited a progress point, or let somebody go on */
    pid_t tid;
    struct segment_thread *slot;
    _Atomic uint64_t own_paid_ns; /* the account's balance when no slot is free */
    uintptr_t stack_high;         /* no frame lies at or above it */
    struct regions regions;
};

#define CALM_NEVER UINT64_MAX

extern __thread struct thread thread_current __attribute__((tls_model("initial-exec")));

static inline void thread_guard_begin(struct thread *thread)
{
    thread->guard++;
    atomic_signal_fence(memory_order_seq_cst);
}

static inline void thread_guard_end(struct thread *thread)
{
    bool is_calm = !thread->stretch.followed && !thread->account.core_waits.is_target;
    thread->calm_ns = is_calm ? account_paid_ns(&thread->account) : CALM_NEVER;
    atomic_signal_fence(memory_order_seq_cst);
    thread->guard--;
}

/* The thread is in a hooked call that may block, or is not: what its handlers, and others, are to know of that. */
static inline void thread_note_waits(struct thread *thread, bool waits)
{
    thread->wait.is_on = thread->sampler.waits = waits;
    thread->sampler.wait_count += waits;
    if (thread->slot)
        atomic_store_explicit(&thread->slot->flags, waits ? THREAD_BLOCKED : 0u, memory_order_relaxed);
    atomic_signal_fence(memory_order_seq_cst);
}

/* The same, with its timer. The thread is about to make a hooked call that may block, of the class in thread->wait, or is
 * back; the wall clock says now_ns. Returns what that cost, which nobody owes yet. */
uint64_t thread_set_waits(struct thread *thread, bool waits, uint64_t now_ns);

/* What has passed between two moments of the processor's ticks, which the thread has learnt to read. */
uint64_t thread_since_ns(const struct thread *thread, uint64_t then_ticks, uint64_t now_ticks);

/* Learns how fast the processor's ticks pass, where they do so at one rate. */
void thread_learn_ticks(struct thread *thread);

/* The time between the two moments was ours, not the program's: it is none of the next sample's, nor of the
 * stretch's. What is told as a cost (pause.h) and not left out here counts twice. For the calling thread,
 * inside its guard or in its handler. */
void thread_exclude(struct thread *thread, struct instant from, struct instant to);

/* The same of so long, just now. */
static inline void thread_leave_out(struct thread *thread, uint64_t ns)
{
    thread->sampler.excluded_ns += ns;
    stretch_skip(&thread->stretch, (struct instant){0, 0}, (struct instant){ns, ns});
}

/* So long, just now, was ours: a cost that is to be told, and left out. */
static inline void thread_note_cost(struct thread *thread, uint64_t ns)
{
    thread->budget.cost_ns += ns;
    thread_leave_out(thread, ns);
}

/* Once, before the process's first thread begins. */
void thread_prepare(void);

/* Begins and ends profiling of the calling thread. inherited_paid_ns is the parent's balance when it was
 * level; stack_high an address above all the thread's frames. */
void thread_start(uint64_t inherited_paid_ns, uintptr_t stack_high);
void thread_stop(void);

/* Resets the thread to one that was never profiled. Makes no system call: timers and events are not ended. */
void thread_forget(struct thread *thread);

/* The calling thread is about to end: regions that it is in come to no end mark. */
void thread_leave_regions(void);

/* The calling thread is about to end, and not sampled any more: what taking its sampler down costs comes
 * before it is settled for the last time. */
void thread_silence(void);

/* Before and after work of the runtime's own: where regions are open, that is none of theirs. Inside its guard, or in
 * its handler outside of the guard. Returns what the second is to be told; where that is false, it does not read the
 * clock. `then`: a moment before it. */
static inline bool thread_stop_regions(struct thread *thread, struct instant now)
{
    return unlikely(regions_are_open(&thread->regions)) && regions_stop(&thread->regions, now);
}

static inline void thread_resume_regions(struct thread *thread, bool stopped, struct instant then)
{
    if (likely(!stopped))
        return;
    struct instant now = instant_move(&thread->account.presence, then);
    regions_go_on(&thread->regions, &now);
}

/* Where the target is a region: what the thread ran in it, and is to be settled now, at that moment. */
uint64_t thread_take_region(struct thread *thread, struct instant now);

/* The thread's life is its first stretch, if there is a target: it began at that address. */
void thread_begin_stretch(struct thread *thread, uintptr_t from);

/* Where targets are threads: the calling thread may have another name now. Inside its guard. */
void thread_take_name(struct thread *thread, struct instant now);
